"""What the rules can say of a notebook: asked here, or in a process of its own with limits.

A notebook is anybody's text, and some texts take long to look into. The server therefore asks a
process that it can end: nothing else of it waits, and a notebook that takes too much time or
memory is left alone with a remark. The process is kept, because the knowledge takes a second to
load.
"""

from __future__ import annotations

import asyncio
import os
import queue
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

from pydantic import TypeAdapter

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

_Answer = TypeVar("_Answer")
_IDLE = 600.0
"""Seconds after which a process that nobody asks ends itself."""


class EraQuestion(Value):
    """When was it written?"""

    notebook: Notebook
    traces: tuple[Evidence, ...] = ()
    chosen: str = ""


class PreflightQuestion(EraQuestion):
    """What will break?"""

    environment: Environment
    sandbox: str
    files: tuple[FileFinding, ...] = ()


class BeforeRunQuestion(Value):
    """What can be fixed before anything has run?"""

    notebook: Notebook
    environment: Environment
    era: Era
    relocated: Relocated = NOTHING_LOST


class HelpersQuestion(Value):
    """How do the copies of these modules read in Python 3?"""

    files: tuple[HelperSource, ...]


class Question(Value):
    """One line to the process: exactly one field beside the folder is set."""

    rules: str = ""
    """The folder with the user's own rules."""
    era: EraQuestion | None = None
    preflight: PreflightQuestion | None = None
    before_run: BeforeRunQuestion | None = None
    fix: FixRequest | None = None
    helpers: HelpersQuestion | None = None
    lesson: Lesson | None = None


class Answer(Value):
    """One line from the process: exactly one field is set."""

    era: Era | None = None
    preflight: Preflight | None = None
    proposal: Proposal | None = None
    no_fix: NoFix | None = None
    helpers: tuple[HelperReading, ...] | None = None
    learned: Learned | None = None
    error: str = ""
    """The user's word on the era was none."""


class Analysis:
    """Asks in this process."""

    def infer_era(
        self, notebook: Notebook, traces: Sequence[Evidence] = (), chosen: str = ""
    ) -> Era:
        """As `preflight.infer_era`."""
        question = EraQuestion(notebook=notebook, traces=tuple(traces), chosen=chosen)
        return self._taken(Question(era=question), self._era_alone(traces, chosen))

    def preflight(
        self,
        notebook: Notebook,
        environment: Environment,
        sandbox: str,
        traces: Sequence[Evidence] = (),
        chosen: str = "",
        files: tuple[FileFinding, ...] = (),
    ) -> Preflight:
        """As `preflight.preflight`; a note says where the notebook was not looked into."""
        question = PreflightQuestion(
            notebook=notebook,
            environment=environment,
            sandbox=sandbox,
            traces=tuple(traces),
            chosen=chosen,
            files=files,
        )
        answer = self._answer(Question(preflight=question))
        if isinstance(answer, Preflight):
            return answer
        era = self._era_alone(traces, chosen)
        return Preflight(
            era=era,
            headline=headline(era, environment),
            environment=environment.model_copy(update={"packages": {}}),
            sandbox=sandbox,
            items=(),
            notes=(PreflightNote(text=f"The notebook was not looked into: {answer}."),),
        )

    def propose_before_run(
        self,
        notebook: Notebook,
        environment: Environment,
        era: Era,
        relocated: Relocated = NOTHING_LOST,
    ) -> Proposal | NoFix:
        """As `preflight.propose_before_run`."""
        question = BeforeRunQuestion(
            notebook=notebook, environment=environment, era=era, relocated=relocated
        )
        return self._fix(Question(before_run=question))

    def propose(self, request: FixRequest) -> Proposal | NoFix:
        """As `fixer.propose`."""
        return self._fix(Question(fix=request))

    def read_helpers(self, files: tuple[HelperSource, ...]) -> tuple[HelperReading, ...]:
        """As `python2.own_modules.read_helpers`; none where that takes too long."""
        found = self._answer(Question(helpers=HelpersQuestion(files=files)))
        return found if isinstance(found, tuple) else ()

    def learn(self, lesson: Lesson) -> tuple[LearnedRule, ...]:
        """As `learning.learn.learn`; nothing where that takes too long."""
        found = self._answer(Question(lesson=lesson))
        return found.rules if isinstance(found, Learned) else ()

    def forget(self) -> None:
        """Read the rules anew for the next question: there are others now."""

    def close(self) -> None:
        """Give back what is held."""

    def _answer(self, question: Question) -> Found | str:
        """The answer, or why there is none.

        Raises:
            ValueError: The user's word on the era is none.
        """
        return answer(question)

    def _taken(self, question: Question, instead: Era) -> Era:
        found = self._answer(question)
        return found if isinstance(found, Era) else instead

    def _fix(self, question: Question) -> Proposal | NoFix:
        found = self._answer(question)
        if isinstance(found, (Proposal, NoFix)):
            return found
        return NoFix(reason=coded("rules.not-looked", why=str(found)))

    def _era_alone(self, traces: Sequence[Evidence], chosen: str) -> Era:
        """What is known without the sources."""
        return combine(tuple(traces), (), chosen)


Found: TypeAlias = Era | Preflight | Proposal | NoFix | Learned | tuple[HelperReading, ...]
"""What an answer holds."""


def answer(question: Question) -> Found:
    """Answer a question.

    Raises:
        ValueError: The user's word on the era is none.
    """
    from mle_modernizer_server.fixing.rules import fixer, preflight
    from mle_modernizer_server.fixing.rules.python2.own_modules import read_helpers

    if question.era is not None:
        asked = question.era
        return preflight.infer_era(asked.notebook, asked.traces, asked.chosen)
    if question.preflight is not None:
        look = question.preflight
        return preflight.preflight(
            *(look.notebook, look.environment, look.sandbox, look.traces, look.chosen, look.files)
        )
    if question.before_run is not None:
        ahead = question.before_run
        return preflight.propose_before_run(
            ahead.notebook, ahead.environment, ahead.era, ahead.relocated
        )
    if question.fix is not None:
        return fixer.propose(question.fix)
    if question.helpers is not None:
        return read_helpers(question.helpers.files)
    if question.lesson is not None:
        from mle_modernizer_server.fixing.rules.learning.learn import learn

        return Learned(rules=learn(question.lesson))
    raise TypeError("the question is empty")


class IsolatedAnalysis(Analysis):
    """Asks a process of its own, one question at a time; for threads."""

    def __init__(
        self, limits: Limits | None = None, *, process: AnalysisProcess | None = None
    ) -> None:
        """Start nothing yet.

        Args:
            limits: What an answer may take.
            process: One that was started already; it is this object's to end.
        """
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._process = process
        self._closed = False

    def forget(self) -> None:
        """End the process once it has answered; the next one reads the rules that are there."""
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

        folder = rules_folder()
        question = question.model_copy(update={"rules": str(folder) if folder else ""})
        with self._lock:
            if self._closed:
                return "the server is being stopped"
            if self._process is None or not self._process.is_alive():
                self._process = AnalysisProcess(self._limits)
            process = self._process
            line = process.ask(question.model_dump_json(round_trip=True).encode())
            if isinstance(line, str):
                process.end()
                return line
            if process.held() > self._limits.kept_memory:
                process.end()
        found = _ANSWER.validate_json(line)
        if found.error:
            raise ValueError(found.error)
        answers = (found.era, found.preflight, found.proposal, found.no_fix, found.helpers)
        for value in (*answers, found.learned):
            if value is not None:
                return value
        return "it could not be read"


class RulesFixer:
    """Proposes what the knowledge of breaking changes has to offer; needs no network."""

    name = FixerName.RULES

    def __init__(self, analysis: Analysis | None = None) -> None:
        """Make a fixer.

        Args:
            analysis: Where the notebooks are looked into; None: in this process.
        """
        self._analysis = analysis or Analysis()

    async def propose(
        self, request: FixRequest, on_text: OnText, on_call: OnCall = no_matter
    ) -> Proposal | NoFix:
        """Stage the edits of all rules that apply, or say plainly that none does."""
        answer = await asyncio.to_thread(self._analysis.propose, request)
        if isinstance(answer, Proposal):
            on_text("\n".join(answer.plan))
        return answer


_ANSWER = TypeAdapter(Answer)
_QUESTION = TypeAdapter(Question)


def serve(ahead: Iterable[Question] = ()) -> None:
    """Answer the questions on standard input until it ends, or nobody asks any more.

    Args:
        ahead: What is looked into before anybody asks; nobody is told the answers.
    """
    from mle_modernizer_server.fixing.rules.knowledge import rules_folder, use_rules

    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    _limit_memory(int(sys.argv[2]))
    lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    threading.Thread(target=read_lines, args=(sys.stdin.buffer, lines), daemon=True).start()
    use_rules(None)
    _load()
    for question in ahead:
        _line(question)
    while True:
        try:
            line = lines.get(timeout=_IDLE)
        except queue.Empty:
            return
        if line is None:
            return
        question = _QUESTION.validate_json(line)
        folder = Path(question.rules) if question.rules else None
        if folder != rules_folder():
            use_rules(folder)
        out.write(_line(question).model_dump_json(round_trip=True).encode() + b"\n")
        out.flush()


def _load() -> None:
    """Load what the first question needs, before it is asked."""
    from mle_modernizer_server.fixing.rules import fixer, preflight  # noqa: F401
    from mle_modernizer_server.fixing.rules.knowledge import all_rules

    all_rules()


def _line(question: Question) -> Answer:
    try:
        found = answer(question)
    except ValueError as error:
        return Answer(error=str(error))
    if isinstance(found, Era):
        return Answer(era=found)
    if isinstance(found, Preflight):
        return Answer(preflight=found)
    if isinstance(found, tuple):
        return Answer(helpers=found)
    if isinstance(found, Learned):
        return Answer(learned=found)
    return Answer(proposal=found) if isinstance(found, Proposal) else Answer(no_fix=found)


def _limit_memory(memory: int) -> None:
    """Limit the address space where the system does that (Linux); who asks watches anyway."""
    if sys.platform == "linux":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
