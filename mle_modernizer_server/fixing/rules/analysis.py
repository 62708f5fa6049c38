"""Questions to the rules about a notebook, answered here or in a worker process with limits.

A notebook is anybody's text, and some texts take long to analyse. The server therefore uses a
process that it can end: nothing else of it waits, and a notebook that takes too much time or memory
is skipped with a remark. The process is reused, because loading the rules takes a second.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.era import Era, Evidence
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.files import FileFinding, HelperReading, HelperSource
from mle_modernizer_server.domain.learned import Learned, LearnedRule, Lesson
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.preflight import Preflight, PreflightNote
from mle_modernizer_server.domain.proposal import FixerName, Proposal
from mle_modernizer_server.fixing.fixer import FixRequest, NoFix, OnCall, OnText, no_matter
from mle_modernizer_server.fixing.rules.analysis_process import (
    AnalysisProcess,
    Limits,
    read_lines,
)
from mle_modernizer_server.fixing.rules.era.era import combine, headline
from mle_modernizer_server.fixing.rules.paths.relocate import NOTHING_LOST, Relocated

_IDLE = 600.0
"""Seconds after which an idle process ends itself."""


class EraQuestion(Value):
    """Question for the notebook's era."""

    notebook: Notebook
    traces: tuple[Evidence, ...] = ()
    chosen: str = ""


class PreflightQuestion(EraQuestion):
    """Question for the expected failures."""

    environment: Environment
    sandbox: str
    files: tuple[FileFinding, ...] = ()


class BeforeRunQuestion(Value):
    """Question for the fixes before anything has run."""

    notebook: Notebook
    environment: Environment
    era: Era
    relocated: Relocated = NOTHING_LOST


class HelpersQuestion(Value):
    """Question for the Python 3 text of these modules' copies."""

    files: tuple[HelperSource, ...]


class HelperReadings(Value):
    """How they read."""

    readings: tuple[HelperReading, ...]


class WrongEra(Value):
    """The user's choice of an era is none."""

    error: str


Question: TypeAlias = (
    EraQuestion | PreflightQuestion | BeforeRunQuestion | FixRequest | HelpersQuestion | Lesson
)
Found: TypeAlias = Era | Preflight | Proposal | NoFix | HelperReadings | Learned
"""Values of an answer."""


class Analysis:
    """Answers questions in this process."""

    def infer_era(
        self, notebook: Notebook, traces: Sequence[Evidence] = (), chosen: str = ""
    ) -> Era:
        """Infer the era as `preflight.infer_era`."""
        found = self._answer(EraQuestion(notebook=notebook, traces=tuple(traces), chosen=chosen))
        return found if isinstance(found, Era) else self._era_alone(traces, chosen)

    def preflight(
        self,
        notebook: Notebook,
        environment: Environment,
        sandbox: str,
        traces: Sequence[Evidence] = (),
        chosen: str = "",
        files: tuple[FileFinding, ...] = (),
    ) -> Preflight:
        """Predict as `preflight.preflight`; a note reports a notebook that was not analysed."""
        question = PreflightQuestion(
            notebook=notebook,
            environment=environment,
            sandbox=sandbox,
            traces=tuple(traces),
            chosen=chosen,
            files=files,
        )
        answer = self._answer(question)
        if isinstance(answer, Preflight):
            return answer
        era = self._era_alone(traces, chosen)
        return Preflight(
            era=era,
            headline=headline(era, environment),
            environment=environment.model_copy(update={"packages": {}}),
            sandbox=sandbox,
            items=(),
            notes=(PreflightNote(text=coded("preflight.no-analysis", why=str(answer))),),
        )

    def propose_before_run(
        self,
        notebook: Notebook,
        environment: Environment,
        era: Era,
        relocated: Relocated = NOTHING_LOST,
    ) -> Proposal | NoFix:
        """Propose as `preflight.propose_before_run`."""
        question = BeforeRunQuestion(
            notebook=notebook, environment=environment, era=era, relocated=relocated
        )
        return self._fix(question)

    def propose(self, request: FixRequest) -> Proposal | NoFix:
        """Propose as `fixer.propose`."""
        return self._fix(request)

    def read_helpers(self, files: tuple[HelperSource, ...]) -> tuple[HelperReading, ...]:
        """Convert as `python2.own_modules.read_helpers`; return none if that takes too long."""
        found = self._answer(HelpersQuestion(files=files))
        return found.readings if isinstance(found, HelperReadings) else ()

    def learn(self, lesson: Lesson) -> tuple[LearnedRule, ...]:
        """Learn as `learning.learn.learn`; return none if that takes too long."""
        found = self._answer(lesson)
        return found.rules if isinstance(found, Learned) else ()

    def forget(self) -> None:
        """Reload the rules for the next question, after they have changed."""

    def close(self) -> None:
        """Release the worker process."""

    def _answer(self, question: Question) -> Found | str:
        """Return the answer, or the reason why there is none.

        Raises:
            ValueError: The user's choice of an era is none.
        """
        return answer(question)

    def _fix(self, question: Question) -> Proposal | NoFix:
        found = self._answer(question)
        if isinstance(found, (Proposal, NoFix)):
            return found
        return NoFix(reason=coded("rules.not-looked", why=str(found)))

    def _era_alone(self, traces: Sequence[Evidence], chosen: str) -> Era:
        """Return the era without the evidence of the sources."""
        return combine(tuple(traces), (), chosen)


def answer(question: Question) -> Found:
    """Return the answer to a question.

    Raises:
        ValueError: The user's choice of an era is none.
    """
    from mle_modernizer_server.fixing.rules import preflight

    if isinstance(question, PreflightQuestion):
        return preflight.preflight(
            *(question.notebook, question.environment, question.sandbox),
            *(question.traces, question.chosen, question.files),
        )
    if isinstance(question, EraQuestion):
        return preflight.infer_era(question.notebook, question.traces, question.chosen)
    if isinstance(question, BeforeRunQuestion):
        return preflight.propose_before_run(
            question.notebook, question.environment, question.era, question.relocated
        )
    if isinstance(question, FixRequest):
        from mle_modernizer_server.fixing.rules import fixer

        return fixer.propose(question)
    if isinstance(question, HelpersQuestion):
        from mle_modernizer_server.fixing.rules.python2.own_modules import read_helpers

        return HelperReadings(readings=read_helpers(question.files))
    from mle_modernizer_server.fixing.rules.learning.learn import learn

    return Learned(rules=learn(question))


class IsolatedAnalysis(Analysis):
    """Answers questions in a worker process, one at a time; thread-safe."""

    def __init__(
        self, limits: Limits | None = None, *, process: AnalysisProcess | None = None
    ) -> None:
        """Start nothing yet.

        Args:
            limits: Of one answer.
            process: A started process; this object ends it.
        """
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._process = process
        self._closed = False

    def forget(self) -> None:
        """End the process after its answer; the next one loads the current rules."""
        with self._lock:
            if self._process is not None:
                self._process.end()
                self._process = None

    def close(self) -> None:
        """End the process, also in the middle of an answer."""
        self._closed = True
        process = self._process
        if process is not None:
            process.end()

    def _answer(self, question: Question) -> Found | str:
        from mle_modernizer_server.fixing.rules.knowledge import rules_folder

        line = _written(question, str(rules_folder() or ""))
        with self._lock:
            if self._closed:
                return "the server is being stopped"
            if self._process is None or not self._process.is_alive():
                self._process = AnalysisProcess(self._limits)
            process = self._process
            found = process.ask(line)
            if isinstance(found, str):
                process.end()
                return found
            if process.held() > self._limits.kept_memory:
                process.end()
        value = _read(found, _ANSWERS)[0]
        if isinstance(value, WrongEra):
            raise ValueError(value.error)
        return value


class RulesFixer:
    """Proposes the fixes of rules on breaking changes; needs no network."""

    name = FixerName.RULES

    def __init__(self, analysis: Analysis | None = None) -> None:
        """Make a fixer.

        Args:
            analysis: Analyses the notebooks; None: in this process.
        """
        self._analysis = analysis or Analysis()

    async def propose(
        self, request: FixRequest, on_text: OnText, on_call: OnCall = no_matter
    ) -> Proposal | NoFix:
        """Stage the edits of all rules that apply, or report that none does."""
        answer = await asyncio.to_thread(self._analysis.propose, request)
        if isinstance(answer, Proposal):
            on_text("\n".join(answer.plan))
        return answer


_Line = TypeVar("_Line", bound=Value)


def _by_name(*kinds: type[_Line]) -> Mapping[str, type[_Line]]:
    return {kind.__name__: kind for kind in kinds}


_QUESTIONS: Mapping[str, type[Question]] = _by_name(
    *(EraQuestion, PreflightQuestion, BeforeRunQuestion, FixRequest, HelpersQuestion, Lesson)
)
_ANSWERS: Mapping[str, type[Found | WrongEra]] = _by_name(
    *(Era, Preflight, Proposal, NoFix, HelperReadings, Learned, WrongEra)
)


def _written(value: Value, rules: str = "") -> bytes:
    """Return a line: kind of the value and folder of the user's rules, a tab, and the value.

    One model for all kinds would have every process prepare all of them, which takes a third of a
    second.
    """
    head = json.dumps([type(value).__name__, rules])
    return f"{head}\t{value.model_dump_json(round_trip=True)}".encode()


def _read(line: bytes, kinds: Mapping[str, type[_Line]]) -> tuple[_Line, str]:
    """Return the value of a line, and the folder."""
    head, _, value = line.partition(b"\t")
    name, rules = json.loads(head)
    return kinds[name].model_validate_json(value), rules


def serve(ahead: Iterable[Question] = ()) -> None:
    """Answer the questions on standard input until it ends or the caller exits.

    Args:
        ahead: Questions to analyse before any is received; their answers are not sent.
    """
    from mle_modernizer_server.fixing.rules.knowledge import rules_folder, use_rules

    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output of a library is no answer
    _limit_memory(int(sys.argv[2]))
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=read_lines, args=(sys.stdin.buffer, lines), daemon=True).start()
    use_rules(None)
    _load()
    for question in ahead:
        _written(_answered(question))  # the analysis, and the model of the answer, are cached
    while True:
        try:
            line = lines.get(timeout=_IDLE)
        except queue.Empty:
            return
        if line is None:
            return
        question, rules = _read(line, _QUESTIONS)
        folder = Path(rules) if rules else None
        if folder != rules_folder():
            use_rules(folder)
        out.write(_written(_answered(question)) + b"\n")
        out.flush()


def _load() -> None:
    """Load the modules and rules for the first question in advance."""
    from mle_modernizer_server.fixing.rules import preflight  # noqa: F401  # to have it loaded
    from mle_modernizer_server.fixing.rules.knowledge import all_rules

    all_rules()


def _answered(question: Question) -> Found | WrongEra:
    try:
        return answer(question)
    except ValueError as error:
        return WrongEra(error=str(error))


def _limit_memory(memory: int) -> None:
    """Limit the address space if the system supports it (Linux); the caller watches anyway."""
    if sys.platform == "linux":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
