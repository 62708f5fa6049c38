"""`jupyter modernize`: one notebook through the workflow, from file to file."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from mle_modernizer_server._version import __version__
from mle_modernizer_server.cli.arguments import PROGRAM
from mle_modernizer_server.cli.choices import (
    choose_comparison,
    choose_mode,
    choose_roles,
    choose_settings,
    say_what_runs,
)
from mle_modernizer_server.cli.commands.session_run import Result, SessionRun
from mle_modernizer_server.cli.exit_codes import (
    ExitCode,
    code_of_backport,
    code_of_contrast,
    code_of_improvement,
    code_of_proof,
    code_of_session,
    code_of_target,
    code_of_verification,
)
from mle_modernizer_server.cli.notebook_options import (
    BackportOptions,
    DiffOptions,
    ImproveOptions,
    ModernizeOptions,
    NotebookOptions,
    ProveOptions,
    RunOptions,
    TargetOptions,
    VerifyOptions,
)
from mle_modernizer_server.cli.terminal import review
from mle_modernizer_server.cli.terminal.environment_text import remark_line
from mle_modernizer_server.cli.terminal.improvement import (
    ablation_table,
    blocks_table,
    changes_text,
    improvement_table,
    leaks_text,
    opinion_text,
    other_experiments_text,
    plan_line,
)
from mle_modernizer_server.cli.terminal.money import estimate_before, usage_text
from mle_modernizer_server.cli.terminal.proofs import proof_table
from mle_modernizer_server.cli.terminal.safe_text import harmless, note, one_line
from mle_modernizer_server.cli.terminal.screen import Screen, new_console
from mle_modernizer_server.cli.terminal.summary import (
    OUTPUTS_COMPARED,
    agreement_text,
    contrast_text,
    findings_text,
    iterations_table,
    profile_text,
)
from mle_modernizer_server.cli.terminal.verification import verification_table
from mle_modernizer_server.cli.work import Work
from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.errors import BadInput, Conflict
from mle_modernizer_server.domain.improvement import Improvement, RoleChoice
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.domain.model_calls import PromptPreview
from mle_modernizer_server.domain.notebook import FinishedRun, Notebook, with_ids_of
from mle_modernizer_server.domain.session import GradedRun, Iteration, Phase, grade_of
from mle_modernizer_server.domain.settings import Mode
from mle_modernizer_server.domain.verification import VerificationKind
from mle_modernizer_server.execution.notebook_file import (
    NotebookFile,
    check_output,
    open_notebook,
    write_file,
)
from mle_modernizer_server.execution.sandboxes.docker.settings import Settings
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.grading.competitions import default_data_root
from mle_modernizer_server.untrusted.files import exists
from mle_modernizer_server.wiring import (
    build_modernizer,
    clear_leftovers,
    default_database,
)
from mle_modernizer_server.words import CellNames, one_text, text
from mle_modernizer_server.workflow.environments import remove_kernel
from mle_modernizer_server.workflow.service import blocks_of


def write_prompt(
    console: Console, work: Work, session_id: str, scope: FixScope, output: Path
) -> None:
    """Write the prompt that a model would get for a fix of the latest run; nothing is sent.

    Raises:
        BadInput: The file cannot be written.
    """
    modernizer = work.modernizer
    try:
        preview = work.wait_for(modernizer.runs.preview_prompt(session_id, scope=scope))
    except Conflict as conflict:  # there is no completed run, or nothing to fix
        console.print(f"{text(conflict.message)} So {output} was not written.", soft_wrap=True)
        return
    write_file(output, prompt_text(preview).encode("utf-8"))
    console.print(f"What a model would be sent is in {output}; nothing was sent.", soft_wrap=True)


def keep_learned(console: Console, work: Work, session_id: str, folder: Path) -> None:
    """Write the rules that a session's fixes by a model teach; those that are there already stay.

    Raises:
        BadInput: A file cannot be written.
    """
    rules = work.wait_for(work.modernizer.runs.learned_rules(session_id))
    if not rules:
        console.print("No rule was learned from a model's fixes.", soft_wrap=True)
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = str(error.strerror)
        raise BadInput(coded("file.not-writable", path=str(folder), why=why)) from error
    for rule in rules:
        file = folder / f"{rule.id}.yaml"
        if not exists(file):
            write_file(file, rule.content.encode("utf-8"))
        console.print(Text(harmless(f"Learned: {rule.old} → {rule.new} ({file})")), soft_wrap=True)
        if rule.tried:
            console.print(Text(harmless(f"  As it was, it ran with {rule.tried}.")), soft_wrap=True)


def prompt_text(preview: PromptPreview) -> str:
    """Return the messages with a head that names their target and the omitted parts."""
    model = preview.model if preview.configured else "no model (none is configured)"
    head = [
        f"To: {model} at {preview.host}",
        f"Fix: {preview.fix_type.value}, scope: {preview.scope.value}",
        f"Length: {preview.characters:,} characters, about {preview.tokens:,} tokens",
        f"Secrets masked: {preview.masked}",
        *(f"Left out: {said}" for said in preview.left_out),
    ]
    parts = [f"----- {message.role} -----\n{message.text}" for message in preview.messages]
    return "\n\n".join(["\n".join(head), *parts]) + "\n"


_REPORT_FORMS = {".html": "html", ".htm": "html", ".md": "markdown"}
"""Kind of report by the suffix of its file; any other suffix means JSON."""


def modernize(options: NotebookOptions) -> int:
    """Run the command; return its exit code.

    Raises:
        ModernizerError: Something that stops everything; the message is for the user.
    """
    console = new_console()
    if isinstance(options, BackportOptions) and options.remove:
        environment = remove_kernel(str(options.notebook.absolute()))
        console.print(text(coded("backport.removed")), soft_wrap=True)
        console.print(f"{PROGRAM} environments --remove {environment}", soft_wrap=True)
        return int(ExitCode.REPRODUCIBLE)
    file = open_notebook(options.notebook)
    mode = choose_mode(options, console)
    if isinstance(options, ImproveOptions) and options.blocks:
        return _show_blocks(console, file, choose_roles(options, file.notebook))
    _check_files(options)
    screen = Screen(console)
    # In memory: the lasting results go into --output and --report.
    modernizer = build_modernizer(
        listener=screen,
        data_root=options.data_root or default_data_root(),
        sandbox=options.sandbox,
        containers=Settings(**options.containers),
        llm=_llm(options),
        rules_path=options.rules_path,
        given=dict(options.file),
    )
    screen.names = lambda session: modernizer.sessions.cell_names(session.id)
    settings = choose_settings(options, file, modernizer, mode)
    say_what_runs(console, file, modernizer, settings)

    if mode is Mode.AUTO and not isinstance(options, RunOptions):
        expected = estimate_before(modernizer, file.notebook, settings, default_database())
        asked = not (isinstance(options, ModernizeOptions) and options.yes)
        if not _may_start(console, expected, asked=asked):
            return 128 + signal.SIGINT

    clear_leftovers()
    work = Work(modernizer, on_cancel=lambda: screen.say("Cancelling …"))
    try:
        session = modernizer.sessions.create(
            str(options.notebook),
            file.notebook,
            settings,
            file.traces,
            options.notebook.absolute().parent,
            file.saved,
        )
        run = SessionRun(console, screen, work, session.id, file)
        result = _carry_out(options, run, mode, file.notebook)
        if isinstance(options, ModernizeOptions):
            result = _checked_again(options, run, work, result)
        _show(console, file, result, modernizer.sessions.cell_names(session.id))
        if isinstance(options, RunOptions) and options.show_prompt is not None:
            write_prompt(console, work, session.id, settings.scope, options.show_prompt)
        if isinstance(options, ModernizeOptions):
            _keep_rules(options, console, run, work, session.id)
            # A user who ends the program from outside is not there to answer.
            may_ask = mode is Mode.STEP and work.stopped_by != signal.SIGTERM
            finish = _finishing(options, work, result)
            _write_notebook(options, console, file, result.notebook, finish, may_ask=may_ask)
        if isinstance(options, BackportOptions) and result.session.backport is not None:
            lock = _lock_file(options)
            write_file(lock, modernizer.environments.backport_lock(session.id).encode("utf-8"))
            console.print(f"The lock file is {lock}.", soft_wrap=True)
        if isinstance(options, ImproveOptions):
            _write_best(options, console, file, result)
        if options.report is not None:
            form = _REPORT_FORMS.get(options.report.suffix.lower(), "json")
            report = modernizer.sessions.report(session.id, form)
            write_file(options.report, report.encode("utf-8"))
    finally:
        work.close()
    if work.stopped_by is not None:
        return 128 + work.stopped_by
    return int(_exit_code(options, result))


def _llm(options: NotebookOptions) -> LlmSettings:
    """Return the model of a command that uses one; the environment names the others'."""
    if isinstance(options, ModernizeOptions | RunOptions | ImproveOptions):
        return LlmSettings.from_environment(base_url=options.llm_base_url, model=options.llm_model)
    return LlmSettings.from_environment()


def _checked_again(
    options: ModernizeOptions, run: SessionRun, work: Work, result: Result
) -> Result:
    """Return the result after the repeated runs and the proof that were requested."""
    if options.verify is not None and work.stopped_by is None and result.iteration is not None:
        verified = run.verify(options.verify, options.runs, result.notebook)
        message = result.message + verified.message
        result = replace(result, session=verified.session, message=message)
    return run.proven(result) if options.prove and work.stopped_by is None else result


def _keep_rules(
    options: ModernizeOptions, console: Console, run: SessionRun, work: Work, session_id: str
) -> None:
    """Write the rules that were learned, if requested."""
    if options.learn is None:
        return
    if options.try_own_time and work.stopped_by is None:
        tried = run.find_target()
        console.print(Text(harmless(text(tried.message))), soft_wrap=True)
    keep_learned(console, work, session_id, options.learn)


def _show_blocks(console: Console, file: NotebookFile, roles: Sequence[RoleChoice]) -> int:
    """Print the parts of the notebook; return 1 if it has no code."""
    found = blocks_of(file.notebook, roles)
    if not found:
        console.print("The notebook has no Python code to show blocks of.")
        return int(ExitCode.NOT_REPRODUCIBLE)
    console.print(blocks_table(found))
    return int(ExitCode.REPRODUCIBLE)


def _carry_out(options: NotebookOptions, run: SessionRun, mode: Mode, notebook: Notebook) -> Result:
    """Run the work that the options request."""
    match options:
        case VerifyOptions():
            return run.verify(VerificationKind.STRICT, options.runs, notebook)
        case ProveOptions():
            return run.prove()
        case ImproveOptions():
            versions, folds = choose_comparison(options, notebook)
            return run.improve(versions, folds)
        case TargetOptions():
            return run.find_target()
        case DiffOptions():
            return run.compare_today(_today(options, notebook))
        case BackportOptions():
            return run.backport()
        case ModernizeOptions() if mode is Mode.AUTO:
            return run.auto(accept=options.output is not None)
        case ModernizeOptions():
            return run.step()
        case _:
            return run.check()


def _today(options: DiffOptions, notebook: Notebook) -> Notebook:
    """Return the notebook that `diff` runs today."""
    if options.modernized is None:
        return notebook
    return with_ids_of(notebook, open_notebook(options.modernized).notebook)


def _exit_code(options: NotebookOptions, result: Result) -> ExitCode:
    match options:
        case ImproveOptions():
            return code_of_improvement(result.session)
        case TargetOptions():
            return code_of_target(result.session)
        case BackportOptions():
            return code_of_backport(result.session)
        case DiffOptions():
            return code_of_contrast(result.session)
        case ProveOptions():
            return code_of_proof(result.session)
    if result.session.verification is not None:
        return code_of_verification(result.session, result.iteration)
    return code_of_session(result.session, result.iteration)


def _may_start(console: Console, expected: str, *, asked: bool) -> bool:
    """Return whether the user accepts the cost of a model, if one will be queried."""
    if not expected:
        return True
    console.print(expected, soft_wrap=True)
    if not asked or review.ask_to_start(console):
        return True
    console.print("Nothing was run.")
    return False


def _lock_file(options: BackportOptions) -> Path:
    """Return the path of the lock: PEP 751 requires `pylock.NAME.toml`, with no dot in the name."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", options.notebook.stem).strip("-") or "notebook"
    return options.lock or options.notebook.parent / f"pylock.{name}.toml"


def _check_files(options: NotebookOptions) -> None:
    """Refuse files that cannot or must not be written, before any work."""
    lock = (_lock_file(options),) if isinstance(options, BackportOptions) else ()
    outputs = [file for file in (*options.outputs, *lock) if file is not None]
    for output in outputs:
        check_output(output, options.notebook, force=options.force)
    if len(set(outputs)) < len(outputs):
        raise BadInput(coded("cli.same-file"))


def _show(console: Console, file: NotebookFile, result: Result, cells: CellNames) -> None:
    """Print the table of the runs, the remaining errors, and the final message."""
    console.print()
    if result.session.iterations:
        console.print(iterations_table(result.session))
    if spent := usage_text(result.session.usage):
        console.print(f"Model: {spent}", soft_wrap=True)
    found = result.session.own_time
    for otherwise in () if found is None else found.remarks:
        note(remark_line(otherwise))
    if result.session.contrast is not None:
        console.print(contrast_text(result.session.contrast, cells), soft_wrap=True)
    if result.session.verification is not None:
        console.print(verification_table(result.session.verification))
    if result.session.improvement is not None:
        _show_improvement(console, result.session.improvement, cells)
    if result.session.proofs:
        console.print(proof_table(result.session))
    if result.iteration is not None:
        unchanged = result.notebook == file.notebook
        _show_run(console, result.iteration, cells, unchanged=unchanged)
    for address in result.session.wanted_resources:
        note(text(coded("fetch.wanted", address=address)))
    if result.session.phase is Phase.FAILED:
        print(harmless(text(result.message, cells)), file=sys.stderr)
    else:
        _show_end(console, result, cells)


def _show_improvement(console: Console, found: Improvement, cells: CellNames) -> None:
    """Print the evidence against the scores first, then their origin, then the scores."""
    console.print(leaks_text(found, cells), soft_wrap=True, end="", style="bold")
    console.print(plan_line(found.folds), soft_wrap=True)
    console.print(other_experiments_text(found), soft_wrap=True, end="")
    console.print(opinion_text(found, cells), soft_wrap=True, end="")
    if found.ablations:
        console.print(ablation_table(found))
    console.print(improvement_table(found))
    console.print(changes_text(found), soft_wrap=True, end="")


def _show_end(console: Console, result: Result, cells: CellNames) -> None:
    """Print the outcome and the next step, a line each; then why there is no fix."""
    details = result.session.details
    if not details:
        console.print(harmless(text(result.message, cells)), soft_wrap=True)
        return
    for message in result.message:
        console.print(harmless(one_text(message, cells)), soft_wrap=True)
    diagnosis = None if result.iteration is None else result.iteration.diagnosis
    known = () if diagnosis is None else diagnosis.summary  # it is printed above
    for message in details:
        if message not in known or message.code in OUTPUTS_COMPARED:
            line = Text(f"  {one_line(message, 500, cells)}", style="dim")
            console.print(line, soft_wrap=True)


def _show_run(console: Console, iteration: Iteration, cells: CellNames, *, unchanged: bool) -> None:
    """Print the errors of the notebook that ran, and the lines that took its time."""
    execution, diagnosis = iteration.execution, iteration.diagnosis
    if diagnosis is None or execution is None:
        return
    for remark in execution.remarks:
        note(one_text(remark, cells))
    for install in execution.pip_installs:
        if not install.ok:
            note(f"{one_line(install.command, 200)} failed: {_first_error(install.message)}")
    grade = grade_of(iteration)
    if grade is not None and grade.floor_told:
        console.print(text(grade.floor_told), soft_wrap=True)
    compared = iteration.agreement if isinstance(iteration, GradedRun) else None
    findings = findings_text(diagnosis, cells, compared)
    if findings.plain:
        console.print("Problems:" if unchanged else "Remaining problems:")
        console.print(findings, soft_wrap=True)
    agreement = agreement_text(iteration, cells)
    if agreement.plain:
        console.print(agreement, soft_wrap=True)
    hottest = profile_text(execution, cells)
    if diagnosis.fix_type is FixType.RUNTIME_REDUCTION and hottest.plain:
        console.print("Slow cells:")
        console.print(hottest, soft_wrap=True)


def _first_error(words: str) -> str:
    """Return the row of pip's last output that has the error."""
    rows = [row for row in words.splitlines() if row.strip()] or [""]
    return one_line(next((row for row in rows if "ERROR:" in row), rows[-1]).strip(), 300)


def _finishing(options: ModernizeOptions, work: Work, result: Result) -> FinishedRun | None:
    """Return the results that finish the notebook; None if not requested, or impossible."""
    iteration = result.iteration
    if not options.finish or iteration is None:
        return None
    try:
        run = work.modernizer.sessions.finish(
            result.session.id, iteration.number, version=__version__
        )
    except Conflict as error:
        note(f"The outputs were not stored: {text(error.message)}")
        return None
    ran = work.modernizer.sessions.notebook(result.session.id, run.notebook_hash)
    if ran.cells != result.notebook.cells:
        note("The outputs were not stored: the written changes have not run yet.")
        return None
    return run


def _write_best(
    options: ImproveOptions, console: Console, file: NotebookFile, result: Result
) -> None:
    """Write the best version that a search found, or print how to do that."""
    if result.notebook == file.notebook:
        if options.output is not None:
            console.print(f"No version is better, so {options.output} was not written.")
    elif options.output is None:
        console.print(
            "Name a file with --out to have it written; compare it with the notebook before you "
            "take it over."
        )
    else:
        write_file(options.output, file.with_sources(result.notebook))
        console.print(
            f"The best version is in {options.output}; compare it with the notebook before you "
            "take it over.",
            soft_wrap=True,
        )


def _write_notebook(
    options: ModernizeOptions,
    console: Console,
    file: NotebookFile,
    notebook: Notebook,
    finish: FinishedRun | None,
    *,
    may_ask: bool,
) -> None:
    output = options.output
    if notebook == file.notebook and finish is None:
        if output is not None:
            console.print(f"The notebook was not changed, so {output} was not written.")
        return
    if output is None and may_ask:
        output = review.ask_where_to_write(console, file.path)
    if output is None:
        console.print("Nothing was written; name a file with --output to keep the changes.")
        return
    content = file.with_sources(notebook) if finish is None else file.finished(notebook, finish)
    write_file(output, content)
    console.print(f"The modernized notebook is in {output}.", soft_wrap=True)
