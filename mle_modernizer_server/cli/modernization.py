"""`jupyter modernize`: one notebook through the workflow, from file to file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pydantic import ValidationError
from rich.console import Console

from mle_modernizer_server.cli import review
from mle_modernizer_server.cli.arguments import Options
from mle_modernizer_server.cli.exit_codes import ExitCode, code_of_session
from mle_modernizer_server.cli.notebook_file import (
    NotebookFile,
    check_output,
    open_notebook,
    write_file,
)
from mle_modernizer_server.cli.screen import Screen, new_console
from mle_modernizer_server.cli.summary import (
    edits_diff,
    findings_text,
    iterations_table,
    proposal_text,
)
from mle_modernizer_server.cli.work import Work
from mle_modernizer_server.domain.errors import BadInput, BadSetting
from mle_modernizer_server.domain.notebook import Notebook, source_hash
from mle_modernizer_server.domain.proposal import FixerName, Proposal, apply_edits
from mle_modernizer_server.domain.session import (
    Decision,
    EditState,
    Iteration,
    Mode,
    Phase,
    Session,
    SessionSettings,
)
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_rooms, default_data_root
from mle_modernizer_server.workflow.journal import Journal
from mle_modernizer_server.workflow.modernizer import Modernizer
from mle_modernizer_server.workflow.report import report_json
from mle_modernizer_server.workflow.rooms import Rooms
from mle_modernizer_server.workflow.store import Store


@dataclass(frozen=True)
class Result:
    """How it ended.

    Attributes:
        session: The session at its end.
        notebook: The notebook to hand back; the one read where nothing was changed.
        iteration: The run that speaks for it.
    """

    session: Session
    notebook: Notebook
    iteration: Iteration | None


def modernize(options: Options) -> int:
    """Do what the user asked for; returns the exit code.

    Raises:
        ModernizerError: Something that stops everything; the message is for the user.
    """
    console = new_console()
    mode = _mode(options, console)
    file = open_notebook(options.notebook)
    for output in (options.output, options.report):
        if output is not None:
            check_output(output, options.notebook, force=options.force)
    if options.output is not None and options.output == options.report:
        raise BadInput("--output and --report name the same file.")

    llm = LlmSettings.from_environment(
        base_url=options.llm_base_url, model=options.llm_model, api_key_file=None
    )
    rooms = build_rooms(
        data_root=options.data_root or default_data_root(), sandbox=options.sandbox, llm=llm
    )
    settings = _settings(options, file, rooms, mode)
    _say_what_runs(console, file, rooms, settings)

    screen = Screen(console)
    modernizer = Modernizer(Journal(Store(None), screen), rooms)
    work = Work(modernizer, on_cancel=lambda: screen.say("Cancelling; the kernel is stopped …"))
    try:
        session = modernizer.create(str(options.notebook), file.notebook, settings)
        run = _Run(console, screen, work, session.id, file)
        if options.only_run:
            result = run.check()
        elif mode is Mode.AUTO:
            result = run.auto()
        else:
            result = run.step()
        return _finish(options, console, work, file, result)
    finally:
        work.close()


def _mode(options: Options, console: Console) -> Mode:
    if options.mode is Mode.AUTO or options.only_run:
        return Mode.AUTO
    if not (console.is_terminal and sys.stdin.isatty()):
        raise BadInput(
            "Reviewing every fix needs a terminal; add --auto to fix without asking, or use "
            "`jupyter modernize run` to only run and diagnose."
        )
    return Mode.STEP


def _settings(options: Options, file: NotebookFile, rooms: Rooms, mode: Mode) -> SessionSettings:
    defaults = file.defaults
    fixers = options.fixers
    if fixers is not None and FixerName.LLM in fixers and FixerName.LLM in rooms.missing:
        raise BadSetting(rooms.missing[FixerName.LLM])
    if fixers is None:
        fixers = tuple(name for name in FixerName if name in rooms.fixers)
    given = {
        "competition": options.competition or defaults.competition,
        "target_score": (
            defaults.target_score if options.target_score is None else options.target_score
        ),
        "threshold": options.threshold,
        "time_limit": options.time_limit or defaults.time_limit or 600.0,
        "sandbox": options.sandbox,
        "mode": mode,
        "fixers": fixers,
        "scope": options.scope,
        "max_fixes": options.max_fixes,
    }
    try:
        return SessionSettings.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        field = str(first["loc"][0]) if first["loc"] else "setting"
        raise BadSetting(f"The {field.replace('_', ' ')} is wrong: {first['msg']}.") from error


def _say_what_runs(
    console: Console, file: NotebookFile, rooms: Rooms, settings: SessionSettings
) -> None:
    """What was found and chosen, before anything runs; refuses what can only fail.

    Raises:
        SandboxUnavailable: No sandbox can be used; the message offers one.
        UnknownCompetition, BadCompetition: The competition cannot be used.
    """
    sandbox = rooms.choose_sandbox(settings.sandbox)
    slug, reason = settings.competition, ""
    if slug is None:
        slug, reason = rooms.competitions.detect(file.notebook)
    if slug is None:
        _note(f"{reason} Without one (--competition) the notebook is run, but not graded.")
    else:
        competition = rooms.competitions.get(slug)
        better = "higher" if competition.higher_is_better else "lower"
        target = (
            "no target score (--target-score)"
            if settings.target_score is None
            else f"target {settings.target_score:g} ± {settings.threshold:.0%}"
        )
        console.print(
            f"{file.path}: {competition.name}, {competition.metric.value} ({better} is better), "
            f"{target}",
            soft_wrap=True,
        )
    if not sandbox.isolated:
        _note(
            f"The sandbox `{sandbox.name}` does not isolate: the notebook's code runs with your "
            "rights on this machine."
        )


def _note(text: str) -> None:
    print(f"Note: {text}", file=sys.stderr)


class _Run:
    """The session of this process, driven to its end."""

    def __init__(
        self, console: Console, screen: Screen, work: Work, session_id: str, file: NotebookFile
    ) -> None:
        self._console = console
        self._screen = screen
        self._work = work
        self._modernizer = work.modernizer
        self._id = session_id
        self._original = file.notebook

    def check(self) -> Result:
        """Run, grade and diagnose."""
        session = self._do(partial(self._modernizer.start_check, self._id, self._original))
        return Result(session, self._original, session.current)

    def auto(self) -> Result:
        """Fix without asking; the whole difference at the end."""
        session = self._do(partial(self._modernizer.start_run, self._id, self._original))
        best = session.iterations[session.best - 1] if session.best else session.current
        if session.phase is not Phase.REVIEWING:
            return Result(session, self._original, best)
        proposal = _open_proposal(session)
        self._console.print()
        self._console.print(proposal_text(proposal), soft_wrap=True)
        self._console.print(edits_diff(self._original, proposal.edits), soft_wrap=True)
        session = self._decide(proposal, EditState.ACCEPTED)
        return Result(session, apply_edits(self._original, proposal.edits), best)

    def step(self) -> Result:
        """Ask about every fix, and run again after each that is accepted."""
        notebook = self._original
        session = self._do(partial(self._modernizer.start_run, self._id, notebook))
        while session.phase is Phase.REVIEWING:
            proposal = _open_proposal(session)
            answer = review.ask_about(self._console, notebook, proposal)
            if answer is review.Answer.QUIT:
                self._decide(proposal, EditState.REJECTED)
                break
            if answer is review.Answer.ACCEPT:
                self._decide(proposal, EditState.ACCEPTED)
                notebook = apply_edits(notebook, proposal.edits)
                session = self._do(partial(self._modernizer.start_run, self._id, notebook))
                continue
            session = self._decide(proposal, EditState.REJECTED)
            others = self._others(session, proposal)
            if not others or not self._wants_another(others):
                break
            session = self._do(partial(self._modernizer.start_fix, self._id, fixers=others))
        session = self._modernizer.journal.session(self._id)
        return Result(session, notebook, session.current)

    def _others(self, session: Session, rejected: Proposal) -> tuple[FixerName, ...]:
        """Who may have another idea: rules would say the same again."""
        chosen = session.settings.fixers
        later = chosen[chosen.index(rejected.fixer) + 1 :]
        again = (FixerName.LLM,) if rejected.fixer is FixerName.LLM else ()
        return (*again, *(name for name in later if name not in again))

    def _wants_another(self, others: tuple[FixerName, ...]) -> bool:
        names = " and ".join(name.value for name in others)
        return review.ask_for_another(self._console, f"Ask {names} for another fix?")

    def _do(self, start: Callable[[], Session]) -> Session:
        with self._screen.working():
            return self._work.carry_out(self._id, start)

    def _decide(self, proposal: Proposal, state: EditState) -> Session:
        """Decide on all edits of a proposal alike."""
        return self._modernizer.decide(
            self._id,
            proposal.id,
            {edit.id: Decision(state=state) for edit in proposal.edits},
            {edit.id: source_hash(edit.base_source) for edit in proposal.edits},
        )


def _open_proposal(session: Session) -> Proposal:
    """The proposal under review."""
    return next(
        item.proposal
        for iteration in reversed(session.iterations)
        for item in reversed(iteration.reviews)
        if item.open
    )


def _finish(
    options: Options, console: Console, work: Work, file: NotebookFile, result: Result
) -> int:
    """The table, the files, the last word and the exit code."""
    session = result.session
    console.print()
    console.print(iterations_table(session))
    if result.iteration is not None and result.iteration.diagnosis is not None:
        findings = findings_text(result.iteration.diagnosis)
        if findings.plain:
            console.print("What is left:" if result.notebook != file.notebook else "What is wrong:")
            console.print(findings, soft_wrap=True)
    failed = session.phase is Phase.FAILED
    if failed:
        print(session.message, file=sys.stderr)
    else:
        console.print(session.message, soft_wrap=True)
    _write_notebook(options, console, file, result.notebook, by_step=session.settings.mode)
    if options.report is not None:
        content = report_json(session, work.modernizer.journal.store)
        write_file(options.report, content.encode("utf-8"))
    if work.stopped_by is not None:
        return 128 + work.stopped_by
    return int(ExitCode.FAILED if failed else code_of_session(session, result.iteration))


def _write_notebook(
    options: Options, console: Console, file: NotebookFile, notebook: Notebook, *, by_step: Mode
) -> None:
    if options.only_run:
        return
    if notebook == file.notebook:
        if options.output is not None:
            console.print(f"The notebook was not changed, so {options.output} was not written.")
        return
    output = options.output
    if output is None and by_step is Mode.STEP:
        output = review.ask_where_to_write(console, file.path)
    if output is None:
        console.print("Nothing was written; name a file with --output to keep the changes.")
        return
    write_file(output, file.with_sources(notebook))
    console.print(f"The modernized notebook is in {output}.", soft_wrap=True)
