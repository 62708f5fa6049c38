"""Obstacles in the errors of a run that no edit of the notebook can fix."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import PurePosixPath

from mle_modernizer_server.code.traceback import UNPARSED, failing_lines
from mle_modernizer_server.domain.diagnosis import (
    ErrorKind,
    Finding,
    downloading_library,
    missing_hosted_module,
    missing_module,
    missing_path,
    missing_resource,
    needs_network,
)
from mle_modernizer_server.domain.environment import HOSTED_MODULES
from mle_modernizer_server.domain.execution import (
    CellError,
    CellStatus,
    Ending,
    Environment,
    Execution,
    FileAccess,
    ShownFile,
)
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.session import GradedRun, Iteration
from mle_modernizer_server.environments.distributions import distribution_of, is_standard
from mle_modernizer_server.fixing.rules.knowledge import all_rules, concerned

_PROGRAMS = frozenset(
    {
        *("dot", "neato", "circo", "twopi", "java", "javac", "node", "npm"),
        *("ffmpeg", "convert", "pdflatex", "latex", "xelatex", "git", "wget", "curl"),
        *("gcc", "g++", "make", "R", "Rscript", "tesseract", "unzip", "7z"),
    }
)
"""Programs that notebooks start, mostly without knowing it (`dot` is Graphviz's)."""
_STARTED = re.compile(
    r"failed to execute (?:PosixPath\('|\['|')(\w+)'|GraphViz's executables? not found"
    r"|InvocationException: GraphViz's|[\"'](\w+)[\"'] not found in path"
)
_INPUT = re.compile(r"(?:^|/)input/(.+)")


@dataclass(frozen=True)
class Obstacle:
    """An obstacle outside of the notebook.

    Attributes:
        what: Description.
        advice: The next step.
        error: The error that shows it; None if there is no error.
    """

    what: Messages
    advice: Messages
    error: CellError | None = None


def external_data(iteration: Iteration, competition: str | None) -> Obstacle | None:
    """Return the file or download outside the competition that a root error is about.

    Args:
        competition: The competition's slug, if there is one.

    Returns:
        None if no root error is about one.
    """
    found = (_outside(root.error, iteration.execution, competition) for root in iteration.roots)
    return next(filter(None, found), None)


def beyond_edits(
    execution: Execution,
    findings: Sequence[Finding],
    competition: str | None,
    *,
    listed: str = "",
    meant: Collection[str] = (),
) -> bool:
    """Return whether all errors have causes outside the notebook, so that no edit can help.

    Args:
        competition: The competition's slug, if there is one.
        listed: Names of the competition's files that a model is shown: a missing path may refer to
            one with the same ending.
        meant: Ids of cells with missing paths for which there are candidate files.
    """
    roots = [item.error for item in findings if item.kind is ErrorKind.ROOT]

    def is_beyond(error: CellError) -> bool:
        if error.cell_id in meant or _outside(error, execution, competition) is None:
            return False
        ending = PurePosixPath((missing_path(error) or "").replace("\\", "/")).suffix
        return not ending or ending not in listed

    return bool(roots) and all(map(is_beyond, roots))


_IMPORT = re.compile(r"(?:import|from)\s")
_NEARLY_ALL = 0.9


def imports_took_the_time(execution: Execution) -> bool:
    """Return whether a run timed out while it had hardly done anything but import modules.

    No edit makes an import faster: such a notebook needs more time.

    Args:
        execution: The run; False without a profile.
    """
    profile = execution.profile
    if execution.ending is not Ending.TIMED_OUT or profile is None:
        return False
    imports = (line.share for line in profile.lines if _IMPORT.match(line.source))
    return sum(imports) >= _NEARLY_ALL


def _outside(error: CellError, execution: Execution | None, slug: str | None) -> Obstacle | None:
    """Return the file or download outside the competition that an error is about."""
    resource = missing_resource(error)
    if resource is not None:
        library, name = resource
        what = coded("needs.resource", library=library, name=name[:100])
        advice = "advice.install-nltk" if library == "nltk" else "advice.install-spacy"
        return Obstacle(what, coded(advice, name=name[:100]), error)
    if needs_network(error) and execution is not None and execution.network is not None:
        what = coded("needs.server", error=error.ename)
        return Obstacle(what, coded("advice.server-not-reached"), error)
    if needs_network(error):
        return Obstacle(
            coded("needs.network", error=error.ename), _advice_on_download(error), error
        )
    path = missing_path(error)
    if path is None or path in _PROGRAMS or not _is_external(path, slug):
        return None
    kept = _kept_away(execution, path)
    if kept:
        return Obstacle(kept, (), error)
    shown = path.replace("\\\\", "\\")[:200]  # the message has it as a literal
    if any(_OF_FOLDERS.search(line) for line in failing_lines(error)):
        return Obstacle(coded("needs.folder", path=shown), coded("advice.needs-folder"), error)
    what = coded("needs.file", path=shown)
    return Obstacle(what, coded("advice.needs-external-data"), error)


_OF_FOLDERS = re.compile(r"\b(?:listdir|scandir|chdir|iterdir)\b|^\s*%cd\b")


def _advice_on_download(error: CellError) -> Messages:
    library = downloading_library(error)
    if library is None:
        return coded("advice.needs-network")
    if library == "torch.hub":
        return coded("advice.torch-weights")
    return coded("advice.library-data", library=library)


def _kept_away(execution: Execution | None, path: str) -> Messages:
    """Return why a file in the notebook's folder was invisible to the run; `()` for other files."""
    listed = () if execution is None else execution.files_beside
    reason = next((_KEPT[file.access] for file in listed if _names(file, path)), ())
    return coded("needs.kept-away", path=path[:200], reason=reason) if reason else ()


def _names(file: ShownFile, path: str) -> bool:
    below = path == file.path or path.startswith(f"{file.path.rstrip('/')}/")
    return file.access in _KEPT and (below or fnmatch(path, file.path))


_KEPT = {
    FileAccess.TOO_LARGE: coded("kept-away.too-large"),
    FileAccess.OUT_OF_REACH: coded("kept-away.out-of-reach"),
    FileAccess.UNREADABLE: coded("kept-away.unreadable"),
}


def no_way_to_run(iteration: Iteration) -> Obstacle | None:
    """Return why the notebook cannot run here; None if it can."""
    execution = iteration.execution
    if execution is None:
        return None
    ran = any(cell.status is CellStatus.OK for cell in execution.cells)
    if execution.ending is Ending.KERNEL_DIED and not ran:
        return Obstacle(coded("cannot-run.kernel-died"), coded("advice.other-sandbox"))
    for error in (root.error for root in iteration.roots):
        program = _missing_program(error)
        if program:
            what = coded("cannot-run.program-missing", program=program)
            return Obstacle(what, coded("advice.install-program"), error)
        if error.ename in UNPARSED:
            return Obstacle(coded("cannot-run.no-python"), coded("advice.by-hand"), error)
        hosted = missing_hosted_module(error)
        if hosted is not None:
            what = coded("cannot-run.hosted-module", module=hosted, service=HOSTED_MODULES[hosted])
            return Obstacle(what, coded("advice.hosted-module"), error)
        if error.ename == "ModuleNotFoundError" and not _was_removed(error, execution.environment):
            return _missing_module(error)
        optional = missing_module(error) if error.ename == "ImportError" else None
        if optional is not None:
            return _not_installed(optional, error)
    return None


def _missing_module(error: CellError) -> Obstacle:
    match = re.search(r"No module named '([\w.]{1,100})'", error.evalue)
    if match is None:
        return Obstacle(coded("cannot-run.package-missing"), coded("advice.add-package"), error)
    module, file = match[1], error.imported_beside
    if file:
        what = coded("cannot-run.python2-import", file=file, module=module)
        return Obstacle(what, coded("advice.import-own", file=file, module=module), error)
    return _not_installed(module, error)


def _not_installed(module: str, error: CellError) -> Obstacle:
    """Return the obstacle of a missing module: one that no known package has may be the user's."""
    what = coded("cannot-run.module-missing", module=module)
    name = module.partition(".")[0]
    if distribution_of(name) is not None or is_standard(name):
        return Obstacle(what, coded("advice.add-package"), error)
    return Obstacle(what, coded("advice.add-own-module", module=name), error)


_LONGER = (600.0, 3_600.0, 9 * 3_600.0, 24 * 3_600.0)
"""Time limits to go on with, in seconds; nine hours are Kaggle's."""


def needs_time(iteration: Iteration) -> bool:
    """Return whether a run timed out without an earlier failure of a cell."""
    timed_out = iteration.ending is Ending.TIMED_OUT
    return timed_out and isinstance(iteration, GradedRun) and not iteration.roots


def longer_limit(seconds: float) -> float:
    """Return the time limit to try after one that was too short, both in seconds."""
    return next((limit for limit in _LONGER if limit >= 2 * seconds), 2 * seconds)


def why_time(iteration: Iteration) -> Messages:
    """Return the state of a run that `needs_time`, and the next step."""
    limit = 0.0 if iteration.execution is None else iteration.execution.time_limit
    begun = sum(cell.status is not CellStatus.NOT_RUN for cell in iteration.cells)
    return coded(
        "needs-time.works",
        cell=begun,
        of=len(iteration.cells),
        limit=limit,
        seconds=longer_limit(limit),
    )


def _missing_program(error: CellError) -> str:
    """Return the missing program that a cell tried to start; empty for other errors."""
    text = error.evalue[:2_000]
    started = _STARTED.search(text)
    if started is not None:
        return next(filter(None, started.groups()), "dot")
    path = missing_path(error)
    return path if path is not None and path in _PROGRAMS else ""


def _was_removed(error: CellError, environment: Environment) -> bool:
    """Return whether an installed library removed the missing module: no package has it."""
    return any(
        not rule.general and rule.matches(error) and concerned(rule, environment)
        for rule in all_rules()
    )


def _is_external(path: str, competition: str | None) -> bool:
    """Return whether a missing path is outside the competition."""
    match = _INPUT.search(path)
    if match is None:
        return True  # weights, a file of another notebook: nobody here can write it
    folder, slash, _ = match.group(1).partition("/")
    # `input/train.csv` was the path of the competition's own files before 2019
    return bool(slash) and competition is not None and folder != competition
