"""Questions to the rules about a notebook, answered here or in a worker process with limits.

A notebook is anybody's text, and some texts take long to analyse. The server therefore uses a
process that it can end: nothing else of it waits. A question has a limit of processor time. The
results until then are the answer; a notebook that takes much more, or too much memory, is skipped
with a remark. The process is reused, because loading the rules takes a second.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, TypeAlias, TypeVar

from mle_modernizer_server import pools
from mle_modernizer_server.child_process import (
    PAUSE,
    WALL_FACTOR,
    Abandoned,
    answers,
    check_wanted,
    limit_memory,
    message,
)
from mle_modernizer_server.code.time_limit import time_limit
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.environment import NONE_ABSENT, Absences, NameUses
from mle_modernizer_server.domain.era import Era, Evidence
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.files import HelperReading, HelperSource
from mle_modernizer_server.domain.forecast import Needs, Preflight, PreflightNote
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proposal import FixerName, Learned, LearnedRule, Lesson, Proposal
from mle_modernizer_server.domain.text import duration
from mle_modernizer_server.fixing.fixer import (
    FixRequest,
    Gap,
    NoFix,
    OnCall,
    OnText,
    no_matter,
)
from mle_modernizer_server.fixing.rules.analysis_process import (
    STANDARD_SECONDS,
    AnalysisProcess,
    Limits,
    NoAnswer,
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
    relocated: Relocated = NOTHING_LOST
    absences: Absences = NONE_ABSENT


class NamesQuestion(EraQuestion):
    """Question for the names of packages in a notebook and in its patch."""

    environment: Environment
    relocated: Relocated = NOTHING_LOST
    absences: Absences = NONE_ABSENT


class NeedsQuestion(Value):
    """Question about the network and hardware that a notebook needs."""

    notebook: Notebook


class BeforeRunQuestion(Value):
    """Question for the fixes before anything has run."""

    notebook: Notebook
    environment: Environment
    era: Era
    relocated: Relocated = NOTHING_LOST
    absences: Absences = NONE_ABSENT


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
    EraQuestion
    | NamesQuestion
    | NeedsQuestion
    | PreflightQuestion
    | BeforeRunQuestion
    | FixRequest
    | HelpersQuestion
    | Lesson
)


@dataclass(frozen=True)
class Missing:
    """An answer that is missing.

    Attributes:
        answer: Why; None: the server is being stopped.
        seconds: Of processor time that the process had.
        memory: Bytes that it could hold.
    """

    answer: NoAnswer | None = None
    seconds: float = 0.0
    memory: int = 0


def _reason(found: Found | Missing) -> str:
    """Return why there is no answer of the requested kind, for a sentence."""
    if not isinstance(found, Missing):
        return NoAnswer.BROKEN.value
    if found.answer is None:
        return "the server is being stopped"
    return found.answer.value.format(time=duration(found.seconds), memory=found.memory >> 20)


Found: TypeAlias = Era | NameUses | Needs | Preflight | Proposal | NoFix | HelperReadings | Learned
"""Values of an answer."""


class Analysis:
    """Answers questions in this process."""

    def infer_era(
        self,
        notebook: Notebook,
        traces: Sequence[Evidence] = (),
        chosen: str = "",
        *,
        seconds: float = STANDARD_SECONDS,
    ) -> Era:
        """Infer the era as `preflight.infer_era`, within so many seconds of processor time."""
        question = EraQuestion(notebook=notebook, traces=tuple(traces), chosen=chosen)
        found = self._answer(question, seconds)
        return found if isinstance(found, Era) else self._era_alone(traces, chosen)

    def preflight(
        self,
        notebook: Notebook,
        environment: Environment,
        sandbox: str,
        traces: Sequence[Evidence] = (),
        chosen: str = "",
        relocated: Relocated = NOTHING_LOST,
        absences: Absences = NONE_ABSENT,
        *,
        seconds: float = STANDARD_SECONDS,
    ) -> Preflight:
        """Predict as `preflight.preflight`, within so many seconds of processor time.

        A note reports a notebook, or cells, that were not analysed.
        """
        question = PreflightQuestion(
            notebook=notebook,
            environment=environment,
            sandbox=sandbox,
            traces=tuple(traces),
            chosen=chosen,
            relocated=relocated,
            absences=absences,
        )
        answer = self._answer(question, seconds)
        if isinstance(answer, Preflight):
            return answer
        era = self._era_alone(traces, chosen)
        return Preflight(
            era=era,
            headline=headline(era, environment),
            environment=environment.model_copy(update={"packages": {}}),
            sandbox=sandbox,
            items=(),
            files=relocated.findings,
            complete=False,
            notes=(PreflightNote(text=coded("preflight.no-analysis", why=_reason(answer))),),
        )

    def names_in_use(
        self,
        notebook: Notebook,
        environment: Environment,
        traces: Sequence[Evidence] = (),
        chosen: str = "",
        relocated: Relocated = NOTHING_LOST,
        absences: Absences = NONE_ABSENT,
        *,
        seconds: float = STANDARD_SECONDS,
    ) -> NameUses:
        """Read names as `preflight.names_in_use`, within so many seconds of processor time.

        None are returned of a notebook that was not analysed.
        """
        question = NamesQuestion(
            notebook=notebook,
            environment=environment,
            traces=tuple(traces),
            chosen=chosen,
            relocated=relocated,
            absences=absences,
        )
        found = self._answer(question, seconds)
        return found if isinstance(found, NameUses) else NameUses()

    def needs(self, notebook: Notebook) -> Needs:
        """Return the network and hardware that a notebook needs; nothing if it was not analysed."""
        found = self._answer(NeedsQuestion(notebook=notebook), STANDARD_SECONDS)
        return found if isinstance(found, Needs) else Needs()

    def propose_before_run(
        self,
        notebook: Notebook,
        environment: Environment,
        era: Era,
        relocated: Relocated = NOTHING_LOST,
        absences: Absences = NONE_ABSENT,
        *,
        seconds: float = STANDARD_SECONDS,
    ) -> Proposal | NoFix:
        """Propose as `preflight.propose_before_run`, within so many seconds of processor time."""
        question = BeforeRunQuestion(
            notebook=notebook,
            environment=environment,
            era=era,
            relocated=relocated,
            absences=absences,
        )
        return self._fix(question, seconds)

    def propose(self, request: FixRequest) -> Proposal | NoFix:
        """Propose as `fixer.propose`, within the processor time of the request."""
        return self._fix(request, request.rules_seconds)

    def read_helpers(self, files: tuple[HelperSource, ...]) -> tuple[HelperReading, ...]:
        """Convert as `python2.own_modules.read_helpers`; return none if that takes too long."""
        found = self._answer(HelpersQuestion(files=files), STANDARD_SECONDS)
        return found.readings if isinstance(found, HelperReadings) else ()

    def learn(self, lesson: Lesson) -> tuple[LearnedRule, ...]:
        """Learn as `learning.learn.learn`; return none if that takes too long."""
        found = self._answer(lesson, STANDARD_SECONDS)
        return found.rules if isinstance(found, Learned) else ()

    def forget(self) -> None:
        """Reload the rules for the next question, after they have changed."""

    def close(self) -> None:
        """Release the worker process."""

    def _answer(self, question: Question, seconds: float) -> Found | Missing:
        """Return the answer, or the reason why there is none.

        Args:
            question: The question.
            seconds: Processor time for it.

        Raises:
            ValueError: The user's choice of an era is none.
        """
        with time_limit(seconds, WALL_FACTOR * seconds):
            return answer(question)

    def _fix(self, question: Question, seconds: float) -> Proposal | NoFix:
        found = self._answer(question, seconds)
        if isinstance(found, (Proposal, NoFix)):
            return found
        is_slow = isinstance(found, Missing) and found.answer is NoAnswer.TIME
        gap = Gap.TIME if is_slow else Gap.FAILURE
        return NoFix(reason=coded("rules.not-looked", why=_reason(found)), gap=gap)

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
            question.notebook,
            question.environment,
            question.sandbox,
            question.traces,
            question.chosen,
            question.relocated,
            question.absences,
        )
    if isinstance(question, NamesQuestion):
        return preflight.names_in_use(
            question.notebook,
            question.environment,
            question.traces,
            question.chosen,
            question.relocated,
            question.absences,
        )
    if isinstance(question, NeedsQuestion):
        from mle_modernizer_server.fixing.rules.needs import needs_of_notebook

        return needs_of_notebook(question.notebook)
    if isinstance(question, EraQuestion):
        return preflight.infer_era(question.notebook, question.traces, question.chosen)
    if isinstance(question, BeforeRunQuestion):
        return preflight.propose_before_run(
            question.notebook,
            question.environment,
            question.era,
            question.relocated,
            question.absences,
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

    def _answer(self, question: Question, seconds: float) -> Found | Missing:
        from mle_modernizer_server.fixing.rules.knowledge import rules_folder

        line = _written(question, str(rules_folder() or ""), seconds)
        with self._turn():
            if self._closed:
                return Missing()
            process, found = self._ask(line, seconds)
            by_others = found in (NoAnswer.BROKEN, NoAnswer.ENDED) and process.was_killed()
            if by_others and not self._closed:
                process, found = self._ask(line, seconds)
            if isinstance(found, NoAnswer):
                process.end()
                return Missing(None if self._closed else found, seconds, self._limits.memory)
            if process.memory() > self._limits.kept_memory:
                process.end()
        value = _read(found, _ANSWERS).value
        if isinstance(value, WrongEra):
            raise ValueError(value.error)
        return value

    def _ask(self, line: bytes, seconds: float) -> tuple[AnalysisProcess, bytes | NoAnswer]:
        """Return the process that answered, a new one if it has ended, and its answer.

        Raises:
            Abandoned: Nobody waits for the answer any more.
        """
        if self._process is None or not self._process.is_alive():
            self._process = AnalysisProcess(self._limits)
        process = self._process
        try:
            return process, process.ask(line, seconds)
        except Abandoned:
            process.end()
            raise

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Hold the process for one question.

        Raises:
            Abandoned: Nobody waits for the answer any more.
        """
        while not self._lock.acquire(timeout=PAUSE):
            check_wanted()
        try:
            yield
        finally:
            self._lock.release()


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
        return await pools.analysis.run(self._analysis.propose, request)


_Line = TypeVar("_Line", bound=Value)


def _by_name(*kinds: type[_Line]) -> Mapping[str, type[_Line]]:
    return {kind.__name__: kind for kind in kinds}


_QUESTIONS: Mapping[str, type[Question]] = _by_name(
    *(EraQuestion, NamesQuestion, NeedsQuestion, PreflightQuestion, BeforeRunQuestion),
    *(FixRequest, HelpersQuestion, Lesson),
)
_ANSWERS: Mapping[str, type[Found | WrongEra]] = _by_name(
    *(Era, NameUses, Needs, Preflight, Proposal, NoFix, HelperReadings, Learned, WrongEra)
)


def _written(value: Value, rules: str = "", seconds: float = 0.0) -> bytes:
    """Return a message: kind of the value, folder of the user's rules, time, a tab, the value.

    One model for all kinds would have every process prepare all of them, which takes a third of a
    second.
    """
    head = json.dumps([type(value).__name__, rules, seconds])
    return f"{head}\t{value.model_dump_json(round_trip=True)}".encode()


@dataclass(frozen=True)
class _Read(Generic[_Line]):
    """A message.

    Attributes:
        value: Question or answer.
        rules: Folder with the user's own rules; empty: none.
        seconds: Processor time for the answer.
    """

    value: _Line
    rules: str
    seconds: float


def _read(line: bytes, kinds: Mapping[str, type[_Line]]) -> _Read[_Line]:
    head, _, value = line.partition(b"\t")
    name, rules, seconds = json.loads(head)
    return _Read(kinds[name].model_validate_json(value), rules, seconds)


def serve(ahead: Iterable[Question] = ()) -> None:
    """Answer the questions of the parent until it ends or sends none for a while.

    Args:
        ahead: Questions to analyse before any is received; their answers are not sent.
    """
    from mle_modernizer_server.fixing.rules.knowledge import rules_folder, use_rules

    out = answers()
    limit_memory(int(sys.argv[3]))
    use_rules(None)
    _load()
    _say(out, b"ready")
    for question in ahead:
        # the analysis, and the model of the answer, are cached
        _written(_answered(question, STANDARD_SECONDS))
    while True:
        try:
            line = message(timeout=_IDLE)
        except queue.Empty:
            return
        asked = _read(line, _QUESTIONS)
        folder = Path(asked.rules) if asked.rules else None
        if folder != rules_folder():
            use_rules(folder)
        _say(out, _written(_answered(asked.value, asked.seconds)))


def _say(out: IO[bytes], line: bytes) -> None:
    out.write(line + b"\n")
    out.flush()


def _load() -> None:
    """Load the modules and rules for the first question in advance."""
    from mle_modernizer_server.fixing.rules import preflight  # noqa: F401  # to have it loaded
    from mle_modernizer_server.fixing.rules.knowledge import all_rules

    all_rules()


def _answered(question: Question, seconds: float) -> Found | WrongEra:
    try:
        with time_limit(seconds, WALL_FACTOR * seconds):
            return answer(question)
    except ValueError as error:
        return WrongEra(error=str(error))
