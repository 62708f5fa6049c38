"""A model writes the notebook of a paper's experiment: stage by stage, each tried before the next.

The claimed numbers are in no prompt. The result is the last version with a clean run on all data.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.errors import BadSetting, Conflict
from mle_modernizer_server.domain.execution import FilesBeside
from mle_modernizer_server.domain.message import Messages, coded, verbatim
from mle_modernizer_server.domain.model_calls import Bound, Budget, Range, Spending, Usage
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.paper import PaperReading
from mle_modernizer_server.domain.proposal import (
    CellEdit,
    EditKind,
    FixerName,
    Proposal,
    apply_edits,
)
from mle_modernizer_server.domain.reproduction import (
    MOST_ROUNDS,
    Experiment,
    StageEnding,
    Writing,
    WritingEstimate,
    WritingStage,
    WrittenStage,
)
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.fixing.fixer import FixRequest, NoFix, OnCall, no_matter
from mle_modernizer_server.fixing.llm.usage import tokens_in
from mle_modernizer_server.fixing.llm.writing import WritingBrief
from mle_modernizer_server.reproducing.hidden import HiddenNumbers
from mle_modernizer_server.reproducing.skeleton import skeleton
from mle_modernizer_server.reproducing.stages import (
    EDITABLE,
    SAMPLE_ROWS,
    TASKS,
    described,
    problems,
    trial,
    whole,
)
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.run_once import Run, RunOptions, run_once
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.work import unless_cancelled

Review = Callable[[WritingStage, Notebook, Proposal], Awaitable[bool]]
"""Returns whether the user accepts a change, before any part of it runs."""
_LONGEST_TRACEBACK = 3_000
_FRAME = 9_000
"""Characters of a prompt besides the paper and the notebook."""


@dataclass(frozen=True)
class WritingSettings:
    """Settings of the writing.

    Attributes:
        folder: Folder of the new notebook: files there that its code names are visible to it.
        rounds: Maximum number of questions in one stage.
        budget: Budget of all stages.
        time_limit: Seconds the whole notebook may take.
        trial_limit: Seconds one trial on a sample may take.
        sandbox: Name of the sandbox; None is the best isolated one.
        options: Run options of a session's notebook, except its time limit: with its own folder and
            sandbox. None derives them from the fields above.
    """

    folder: Path | None = None
    rounds: int = MOST_ROUNDS
    budget: Budget = field(default_factory=Budget)
    time_limit: float = 600.0
    trial_limit: float = 120.0
    sandbox: str | None = None
    options: RunOptions | None = None


@dataclass(frozen=True)
class WritingHooks:
    """Callbacks of whoever has a notebook written.

    Attributes:
        keep: Called with the progress, after each change and each stage.
        say: Called with every step.
        review: Called for each change before it runs; None accepts all, and the caller has the
            whole reviewed before its use.
        on_call: Receives each call of the model, including failed ones.
    """

    keep: Callable[[Writing], object]
    say: Callable[[Messages], None]
    review: Review | None = None
    on_call: OnCall = no_matter


def estimate_writing(
    services: Services, reading: PaperReading, experiment: Experiment
) -> WritingEstimate:
    """Return the probable cost of writing: the paper and the notebook are in every prompt.

    Between one question for each stage that writes (3) and the repairs of AutoReproduce (5 to 8
    rounds a stage, its appendix B); an answer is about half a notebook.

    Raises:
        Conflict: No model is configured.
    """
    check_model(services)
    paper = HiddenNumbers(reading.claims).method_text(reading.paper)
    cells = sum(len(cell.source) for cell in skeleton(experiment).cells)
    prompt = tokens_in(len(paper) + 2 * cells + _FRAME)
    questions = Range(low=2, likely=6, high=24)
    given = Range.of(lambda count: count * prompt, questions)
    written = Range(low=1_000, likely=5_000, high=30_000)
    price = services.price

    def cost(tokens: float, output: float) -> float:
        usage = Usage(calls=1, input_tokens=int(tokens), output_tokens=int(output)).priced(price)
        return usage.cost_usd or 0.0

    return WritingEstimate(
        model=services.model,
        questions=questions,
        # The data stage and the clean run at the end, and one after each answer.
        runs=Range.of(lambda count: count + 2, questions),
        input_tokens=given,
        output_tokens=written,
        cost_usd=None if price is None else Range.of(cost, given, written),
    )


def check_model(services: Services) -> None:
    """Raise if no model is available.

    Raises:
        Conflict: None is configured.
    """
    if services.writer is None:
        raise Conflict(verbatim(services.missing[FixerName.LLM]))


async def write(
    services: Services,
    reading: PaperReading,
    begun: Writing,
    settings: WritingSettings,
    hooks: WritingHooks,
    cancel: asyncio.Event,
) -> Writing:
    """Write the cells of a notebook, and continue from its last state.

    Args:
        services: For the model and the sandbox.
        begun: The experiment, and the progress of its notebook.
        settings: Settings of the writing.
        cancel: Ends it and all its processes; stored progress can be resumed.

    Returns:
        The progress; `ran` says whether the current notebook ran clean.

    Raises:
        Conflict: No model is configured.
        BadSetting: A setting is out of its range, or a limit of money has no price.
        Cancelled: `cancel` was set.
        ModernizerError: As `run_once`, or the endpoint is not usable.
    """
    check_model(services)
    if not 1 <= settings.rounds <= MOST_ROUNDS:
        raise BadSetting(coded("writing.rounds", most=MOST_ROUNDS))
    if settings.budget.usd is not None and services.price is None:
        raise BadSetting(coded("writing.no-price"))
    done = tuple(one for one in begun.stages if _counts(one))
    begun = begun.model_copy(update={"stages": done})
    writer = _Writer(services, reading, begun, settings, hooks, cancel)
    for stage in WritingStage:
        if writer.now.ended(stage):
            continue
        await writer.write(stage)
        hooks.keep(writer.now)
        if not _counts(writer.now.stages[-1]):
            break
    return writer.now


def _counts(one: WrittenStage) -> bool:
    """Return whether the next stage may begin."""
    return one.ending is StageEnding.DONE or (
        # A sample may fail although the whole does not: the clean run decides.
        one.stage in (WritingStage.EXPERIMENT, WritingStage.ALIGNMENT)
        and one.ending in (StageEnding.GIVEN_UP, StageEnding.ROUNDS)
        and bool(one.edits or one.stage is WritingStage.ALIGNMENT)
    )


class _Writer:
    """Writes one notebook."""

    def __init__(
        self,
        services: Services,
        reading: PaperReading,
        begun: Writing,
        settings: WritingSettings,
        hooks: WritingHooks,
        cancel: asyncio.Event,
    ) -> None:
        self.now = begun
        self._services = services
        self._settings = settings
        self._hooks = hooks
        self._say = hooks.say
        self._cancel = cancel
        hidden = HiddenNumbers(
            [*reading.claims, *(expected.claim for expected in begun.experiment.claims)]
        )
        self._paper = hidden.method_text(reading.paper)
        self._hidden = () if hidden.pattern is None else (hidden.pattern,)
        self._lineage = tuple(
            (
                f"cited work: {one.text[:100]}",
                "\n".join(hidden.without(mention.quote) for mention in one.mentions),
            )
            for one in reading.lineage
        ) + tuple(
            (f"code that names a cited work: {source.name}"[:150], hidden.without(source.excerpt))
            for one in reading.lineage
            for source in one.sources
            if source.excerpt
        )
        self._described = ""
        self._last: Run | None = None

    async def write(self, stage: WritingStage) -> None:
        """Write one stage; `now` has the result."""
        began = time.monotonic()
        edits: list[CellEdit] = []
        seconds = 0.0
        run = self._last
        if run is None or stage in (WritingStage.DATA, WritingStage.REFINEMENT):
            run, problem = await self._try(stage)
            seconds += run.execution.seconds
        else:  # the previous stage has run the current cells
            problem = await self._differs(stage)
        due = bool(problem) or stage in (WritingStage.METHOD, WritingStage.EXPERIMENT)
        rounds, ending = 0, StageEnding.DONE
        while due:
            if rounds >= self._settings.rounds:
                ending = StageEnding.ROUNDS
                break
            bound = self._spent(began)
            if bound is not None:
                ending, problem = StageEnding.BUDGET, problem or f"The budget ({bound.value})."
                break
            rounds += 1
            self._say(
                coded("writing.asking", stage=stage.value, round=rounds, model=self._services.model)
            )
            answer = await self._ask(stage, run, problem)
            if answer is None or not answer.edits:
                problem = problem or self._unwritten(stage)
                ending = StageEnding.GIVEN_UP if problem else StageEnding.DONE
                break
            review = self._hooks.review
            if review is not None and not await review(stage, self.now.notebook, answer):
                ending = StageEnding.REJECTED
                break
            changed = apply_edits(self.now.notebook, answer.edits)
            self.now = self.now.model_copy(update={"notebook": changed, "ran": False})
            edits += answer.edits
            self._hooks.keep(self.now)
            run, problem = await self._try(stage)
            seconds += run.execution.seconds
            due = bool(problem)
        done = WrittenStage(
            stage=stage,
            ending=ending,
            rounds=rounds,
            edits=tuple(edits),
            problem=problem[:_LONGEST_TRACEBACK],
            seconds=seconds,
        )
        self.now = self.now.model_copy(
            update={
                "stages": (*self.now.stages, done),
                "seconds": self.now.seconds + time.monotonic() - began,
            }
        )

    def _spent(self, began: float) -> Bound | None:
        usage = self.now.usage
        return self._settings.budget.spent(
            Spending(
                tokens=usage.input_tokens + usage.output_tokens,
                usd=usage.cost_usd or 0.0,
                seconds=self.now.seconds + time.monotonic() - began,
            )
        )

    async def _try(self, stage: WritingStage) -> tuple[Run, str]:
        """Run the current cells, in the last stage on all data; return the problem."""
        last = stage is WritingStage.REFINEMENT
        notebook = self.now.notebook if last else trial(self.now.notebook, stage)
        self._say(
            coded("writing.clean-run") if last else coded("writing.sample-run", stage=stage.value)
        )
        run = await run_once(
            notebook,
            self._run_options(last=last),
            self._services,
            on_event=self._heard,
            cancel=self._cancel,
        )
        found = _error(run)
        if found and not last:
            found = (
                f"This was a run on {SAMPLE_ROWS} rows at most. If it fails only because rows are "
                f"missing, there is nothing to mend.\n{found}"
            )
        if not last:
            self._described = await pools.code.run(described, run.executed.cells)
        if stage is WritingStage.DATA and not found and "NoneType" in self._described:
            found = "X or y is None: nothing is loaded yet."
        if not found:
            found = await self._differs(stage)
        if last and not _error(run):
            self.now = self.now.model_copy(update={"ran": True})
        self._last = run
        return run, found

    def _run_options(self, *, last: bool) -> RunOptions:
        settings = self._settings
        options = settings.options or RunOptions(
            SessionSettings(sandbox=settings.sandbox, files_beside=FilesBeside.NAMED),
            folder=settings.folder,
        )
        limit = settings.time_limit if last else min(settings.time_limit, settings.trial_limit)
        return replace(options, settings=options.settings.model_copy(update={"time_limit": limit}))

    def _unwritten(self, stage: WritingStage) -> str:
        """Return why a stage without failures is unfinished: its cells equal the skeleton."""
        begun = skeleton(self.now.experiment)
        own = {WritingStage.METHOD: "method", WritingStage.EXPERIMENT: "evaluation"}.get(stage)
        if own is None or begun.cell(own) != self.now.notebook.cell(own):
            return ""
        return f"Cell {own} was not written."

    async def _differs(self, stage: WritingStage) -> str:
        lines = await pools.code.run(problems, self.now.experiment, self.now.notebook, stage)
        return "\n".join(lines)

    def _heard(self, event: events.Progressed | events.Executed) -> None:
        if isinstance(event, events.Progressed) and event.total is not None:
            self._say(event.message)

    async def _ask(self, stage: WritingStage, run: Run, problem: str) -> Proposal | None:
        """Return the model's proposal, without edits that remove a section; None if it has none."""
        assert self._services.writer is not None  # `write` has looked
        brief = WritingBrief(
            task=TASKS[stage],
            paper=self._paper,
            editable=EDITABLE[stage],
            hidden=self._hidden,
            described=self._described,
            lineage=self._lineage,
            problem=problem,
        )
        request = FixRequest(
            notebook=self.now.notebook,
            execution=run.execution,
            diagnosis=run.diagnosis,
            fix_type=FixType.ERROR_REPAIR,
            scope=FixScope.FILE,
            outside_data=True,
        )
        fixer = self._services.writer(brief)
        question = fixer.propose(request, lambda said: None, self._hooks.on_call)
        answer = await unless_cancelled(self._cancel, question)
        self.now = self.now.model_copy(update={"usage": self.now.usage + answer.usage})
        if isinstance(answer, NoFix):
            return None
        kept = tuple(edit for edit in answer.edits if edit.kind is not EditKind.DELETE)
        if not kept or not whole(apply_edits(self.now.notebook, kept)):
            return None
        return answer.model_copy(update={"edits": kept})


def _error(run: Run) -> str:
    """Return the first error of a run, with its cell and traceback; empty if it ended well."""
    if run.execution.raised:
        raised = run.execution.raised[0]
        lines = "\n".join(raised.traceback)[-_LONGEST_TRACEBACK:]
        return f"Cell {raised.cell_id}: {raised.ename}: {raised.evalue[:500]}\n{lines}"
    return text(run.execution.message)
