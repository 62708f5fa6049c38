"""Look up, for a fix, the files that a notebook reads from wrong paths."""

from __future__ import annotations

from pathlib import Path

from mle_modernizer_server import pools
from mle_modernizer_server.code.path_uses import Role, read_code
from mle_modernizer_server.code.string_edits import CellText
from mle_modernizer_server.domain.execution import Execution
from mle_modernizer_server.domain.files import FileFinding, FoundFiles
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.execution.notebook_folder.lookup import Places, look_up, with_none_texts
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside
from mle_modernizer_server.fixing.rules.paths.relocate import (
    Seen,
    paths_to_look_up,
    relocate,
    seen_in,
)
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.services import Services
from mle_modernizer_server.workflow.work import Work


async def look_up_files(work: Work, notebook: Notebook, execution: Execution) -> FoundFiles:
    """Look up the paths of a notebook that ran; log those without a match.

    Args:
        notebook: The notebook that ran.
        execution: Result of its run.
    """
    seen = seen_in(execution)
    where = places(work.services, work.settings, work.folder)
    found = await pools.files.run(files_named, notebook, where, seen)
    lost: tuple[FileFinding, ...] = ()
    if seen.failing:
        choices = work.settings.file_choices
        lost = relocate(notebook, found, seen=seen, choices=choices).findings
    if lost != work.session.lost_files:
        work.write(events.FilesLookedUp(findings=lost))
    return found


def find_none_texts(
    services: Services, settings: SessionSettings, folder: Path | None, notebook: Notebook
) -> frozenset[tuple[str, str]]:
    """Return the cell id and the code of the path, of each table that holds the text None. Blocks.

    The arguments are those of `places`, and the sources.
    """
    if notebook.language != "python":
        return frozenset()
    code = read_code(notebook)
    tables = [one for one in code.uses if one.role is Role.READ and "*" not in one.text]
    found = with_none_texts((one.text for one in tables), places(services, settings, folder))
    return frozenset(
        (code.cells[one.cell].id, segment)
        for one in tables
        if one.text in found
        and (segment := CellText(code.cells[one.cell].source).segment(one.node)) is not None
    )


def places(services: Services, settings: SessionSettings, folder: Path | None) -> Places:
    """Return the places to search for the files of a notebook.

    Args:
        settings: Competition, and the visible files of the folder.
        folder: The notebook's folder; None if unsaved.
    """
    slug, root = settings.competition, services.competitions.root
    beside = None
    if folder is not None:
        given = {**services.resources.given(settings.resources), **services.given}
        beside = Beside(folder, settings.files_beside, root, given=given)
    return Places(beside, slug, None if slug is None else services.competitions.public_dir(slug))


def files_named(notebook: Notebook, where: Places, seen: Seen | None = None) -> FoundFiles:
    """Look up the paths of a notebook, with those that a run asked for. Blocks."""
    if notebook.language != "python":
        return FoundFiles()
    return look_up(paths_to_look_up(notebook, seen), where)
