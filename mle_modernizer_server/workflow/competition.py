"""A notebook's competition: detected from its content, or created by the user from labelled data.

`grading.new_competition` loads NumPy, so it is imported only when needed.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mle_modernizer_server.domain.competition import (
    Competition,
    CompetitionGuess,
    LookAtData,
    MakeCompetition,
    Split,
)
from mle_modernizer_server.domain.errors import BadCompetition, Conflict
from mle_modernizer_server.domain.grade import DetectAnswer
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.execution.notebook_folder.lookup import files_of
from mle_modernizer_server.execution.notebook_folder.visible_files import Beside
from mle_modernizer_server.fixing.rules.paths.relocate import paths_to_look_up
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.refusal import shown
from mle_modernizer_server.grading.target import (
    KERNEL_METADATA,
    kaggle_competition,
    suggest_targets,
)
from mle_modernizer_server.untrusted.files import exists, is_folder, is_within, resolved

if TYPE_CHECKING:
    from mle_modernizer_server.grading.new_competition import Found

MOST_BYTES = 200_000_000
"""Bound on the labelled data, unpacked: it is read into the server's memory. The command line
takes more."""
_NO_SLUG = re.compile(r"[^A-Za-z0-9._-]+")


def guess(root: Path, ask: LookAtData) -> CompetitionGuess:
    """Infer a competition from the labelled data in a directory; write nothing.

    Args:
        ask: The directory, and the user's answers so far.

    Raises:
        BadCompetition: The directory is not below the root, has no labelled data, it
            is too large, or a named column is missing.
    """
    from mle_modernizer_server.grading.new_competition import usual_split

    folder, files, found = _found(root, ask)
    name = folder.name or "mine"
    return CompetitionGuess(
        directory=ask.directory,
        files=tuple(path.name for path in files),
        train=found.train.name,
        test=found.test.name if found.test else None,
        sample=found.sample.name if found.sample else None,
        columns=found.columns,
        id_column=found.id_column,
        target_columns=found.target_columns,
        task=found.task,
        metrics=found.metrics,
        split=usual_split(found, found.metrics[0] if found.metrics else None),
        name=name[:200],
        id=_slug(name),
    )


def make(root: Path, competitions: Competitions, wish: MakeCompetition) -> Competition:
    """Create a competition below the data root; leave the labelled data unchanged.

    Args:
        root: The server's root, which contains the data.
        competitions: The data root for the new competition.

    Raises:
        Conflict: A competition of that name exists, and `overwrite` is not set.
        BadCompetition: The data or the request does not allow it, or the data root is not writable.
    """
    from mle_modernizer_server.grading.new_competition import Plan, make_competition

    folder, _, found = _found(root, wish)
    into = competitions.root / wish.id
    is_its_own = exists(into) and resolved(into) == folder
    if exists(into) and not is_within(into, competitions.root):
        raise BadCompetition(coded("own-competition.name-leads-out", wish=wish.id))
    is_taken = exists(into / "competition.yaml") or exists(into / "prepared")
    if not wish.overwrite and (is_taken or (exists(into) and not is_its_own)):
        raise Conflict(
            coded("own-competition.folder-exists", wish=wish.id, root=str(competitions.root))
        )
    plan = Plan(
        id_column=wish.id_column,
        target_columns=wish.target_columns,
        metric=wish.metric,
        split=Split(wish.split, wish.share, wish.seed, wish.split_column),
        name=wish.name,
    )
    is_new = not exists(into)
    try:
        into.mkdir(parents=True, exist_ok=True)
        make_competition(into, found, plan, force=wish.overwrite, most_bytes=MOST_BYTES)
    except OSError as error:
        raise BadCompetition(
            coded("own-competition.not-writable", into=str(into), why=str(error.strerror or error))
        ) from error
    finally:
        if is_new and is_folder(into) and not any(into.iterdir()):
            into.rmdir()  # the plan was refused: nothing is left behind
    return competitions.get(wish.id)


def _below(root: Path, directory: str) -> Path:
    """Return a directory below the server's root; reject links that lead out of it."""
    parts = PurePosixPath(directory.strip("/")).parts
    is_bad = "\x00" in directory or any(part.startswith(".") for part in parts)
    folder = None if is_bad else resolved(root.joinpath(*parts))
    if folder is None or not is_folder(folder) or not is_within(folder, root):
        named = shown(directory)
        raise BadCompetition(coded("own-competition.no-such-directory", directory=named))
    return folder


def _readable(folder: Path) -> list[Path]:
    """Return the CSV files of a folder; skip links."""
    from mle_modernizer_server.grading.new_competition import csv_files

    try:
        return [path for path in csv_files(folder) if not path.is_symlink()]
    except OSError as error:
        raise BadCompetition(
            coded("own-competition.not-readable", folder=folder.name, strerror=str(error.strerror))
        ) from error


def _found(root: Path, request: LookAtData | MakeCompetition) -> tuple[Path, list[Path], Found]:
    """Return the requested directory, its CSV files, and the findings in the labelled data."""
    from mle_modernizer_server.grading.new_competition import look_at

    folder, train = _below(root, request.directory), request.train
    files = _readable(folder)
    chosen = next((path for path in files if path.name == train), None)
    if train is not None and chosen is None:
        raise BadCompetition(
            coded("own-competition.no-such-csv", train=shown(train), folder=folder.name)
        )
    if not files:
        raise BadCompetition(coded("own-competition.no-csv", folder=folder.name))
    if chosen is None and not any(re.match("train", path.name, re.I) for path in files):
        others = [
            path for path in files if not re.match("test|sample|.*submission", path.name, re.I)
        ]
        chosen = max(others or files, key=lambda path: path.stat().st_size)
    targets, ids = request.target_columns, request.id_column
    found = look_at(folder, train=chosen, targets=targets, id_column=ids, most_bytes=MOST_BYTES)
    return folder, files, found


def _slug(name: str) -> str:
    return _NO_SLUG.sub("-", name).strip("-._")[:200] or "mine"


def find_competition(
    competitions: Competitions, notebook: Notebook, folder: Path | None
) -> tuple[str | None, Messages]:
    """Return a notebook's competition, from its paths or neighbouring data, and the reason.

    Args:
        folder: The notebook's folder; None if unsaved.
    """
    slug, reason = competitions.detect(notebook)
    if slug is not None or folder is None or notebook.language != "python":
        return slug, reason
    beside = Beside(folder, data_root=competitions.root)
    by_data, why = competitions.detect_by_data(files_of(paths_to_look_up(notebook), beside))
    return by_data, why or reason


def detect(
    competitions: Competitions,
    notebook: Notebook,
    *,
    title: str,
    kernel_metadata: bytes | None,
    folder: Path | None = None,
) -> DetectAnswer:
    """Detect a notebook's competition and score in its text and files; apply neither.

    Args:
        title: Its file name without the suffix.
        kernel_metadata: Content of Kaggle's `kernel-metadata.json` in the notebook's folder, if it
            exists and describes this notebook.
        folder: The notebook's folder; None if unsaved.
    """
    targets = suggest_targets(notebook, title=title, kernel_metadata=kernel_metadata)
    named = kaggle_competition(kernel_metadata)
    if named is not None and any(known.id == named for known in competitions.list()[0]):
        why = coded("detected.kaggle", file=KERNEL_METADATA, competition=named)
        return DetectAnswer(competition=named, reason=why, targets=targets)
    slug, reason = find_competition(competitions, notebook, folder)
    return DetectAnswer(competition=slug, reason=reason, targets=targets)
