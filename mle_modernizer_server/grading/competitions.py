"""The competitions below a data root, in MLE-bench's prepared layout."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.domain.errors import (
    BadCompetition,
    ModernizerError,
    UnknownCompetition,
)
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.grading.description import FILE_NAME, read_description
from mle_modernizer_server.grading.detection import detect, detect_by_data
from mle_modernizer_server.untrusted.files import (
    exists,
    is_file,
    is_folder,
    is_within,
    open_regular,
)

_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_MOST_DESCRIPTION = 1_000_000
_MOST_NAMES = 10


def default_data_root() -> Path:
    """Return the default data root: `MLE_MODERNIZER_DATA_ROOT`, else MLE-bench's cache.

    Source of the latter: https://github.com/openai/mle-bench (its `--data-dir` default).
    """
    named = os.environ.get("MLE_MODERNIZER_DATA_ROOT")
    return Path(named) if named else Path.home() / ".cache" / "mle-bench" / "data"


class Competitions:
    """Finds, reads and describes the competitions below a directory.

    A competition is a folder `<root>/<slug>` with a `competition.yaml`, or, for the MLE-bench
    competitions that need no more than ids, columns and a metric, just the prepared data:
    their descriptions come with this package (`known/`).
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def list(self) -> tuple[list[Competition], Messages]:
        """Return all competitions that can be used, by slug, and a message for each problem."""
        competitions: list[Competition] = []
        problems: Messages = ()
        for slug in self._slugs():
            try:
                competition = self.get(slug)
                self.public_dir(slug)
            except ModernizerError as error:
                problems += error.message
                continue
            competitions.append(competition)
            for field in ("answers", "sample_submission"):
                file = getattr(competition, field)
                if not is_file(self.root / slug / file):
                    missing = coded("competition.file-missing", slug=slug, file=file, field=field)
                    problems += missing
        return competitions, problems

    def without_root(self) -> Messages:
        """Return a message on how to set the data root if its folder is missing; else empty."""
        return () if is_folder(self.root) else coded("competition.no-root", root=str(self.root))

    def get(self, slug: str) -> Competition:
        """Return the competition of that slug.

        Raises:
            UnknownCompetition: There is none; the message offers near names.
            BadCompetition: Its description or folder is of no use; the message has the reason.
        """
        folder = self._folder(slug)
        own = folder / FILE_NAME
        if own.is_symlink() and not is_within(own, folder):
            raise BadCompetition(
                coded("competition.file-leads-out", slug=slug, file_name=FILE_NAME)
            )
        if is_file(own):
            competition = read_description(own, folder)
        else:
            known = files("mle_modernizer_server.grading") / "known" / f"{slug}.yaml"
            if not known.is_file():
                raise self._unknown(slug)
            with as_file(known) as file:
                competition = read_description(file, folder)
        for path in (competition.answers, competition.sample_submission, competition.description):
            if not is_within(folder / path, folder):
                raise BadCompetition(coded("competition.path-leads-out", slug=slug, path=path))
        return competition

    def public_dir(self, slug: str) -> Path:
        """Return the directory a notebook sees at `/kaggle/input/<slug>`.

        Raises:
            UnknownCompetition: There is no such competition.
            BadCompetition: It has no such directory.
        """
        folder = self._folder(slug)
        public = folder / "prepared" / "public"
        if not is_folder(public) or not is_within(public, folder):
            raise BadCompetition(coded("competition.no-public", slug=slug))
        return public

    def description(self, slug: str) -> str:
        """Return the task description (Markdown); empty if there is none that can be read.

        Raises:
            UnknownCompetition: There is no such competition.
            BadCompetition: The competition cannot be read.
        """
        file = self._folder(slug) / self.get(slug).description
        try:
            with open_regular(file) as stream:
                return stream.read(_MOST_DESCRIPTION).decode("utf-8", "replace")
        except OSError:
            return ""

    def detect(self, notebook: Notebook) -> tuple[str | None, Messages]:
        """Return the competition a notebook is about, and why.

        None, with the reason as well, if the notebook's code does not indicate one.
        """
        public = {}
        columns = {}
        for competition in self.list()[0]:
            public[competition.id] = self.public_dir(competition.id)
            columns[competition.id] = competition.target_columns
        return detect(notebook, public, columns)

    def detect_by_data(self, files: Sequence[Path]) -> tuple[str | None, Messages]:
        """Return the competition whose public data some files are, and why.

        Args:
            files: The files that a notebook reads.
        """
        public = {one.id: self.public_dir(one.id) for one in self.list()[0]}
        return detect_by_data(files, public)

    def _slugs(self) -> tuple[str, ...]:
        if not is_folder(self.root):
            return ()
        known = files("mle_modernizer_server.grading") / "known"
        names = sorted(path.name for path in self.root.iterdir() if is_folder(path))
        return tuple(
            name
            for name in names
            if _SLUG.fullmatch(name)
            and (exists(self.root / name / FILE_NAME) or (known / f"{name}.yaml").is_file())
        )

    def _folder(self, slug: str) -> Path:
        """Return `<root>/<slug>`, confined to the root."""
        folder = self.root / slug
        if not _SLUG.fullmatch(slug) or not is_folder(folder):
            raise self._unknown(slug)
        if not is_within(folder, self.root):
            raise BadCompetition(coded("competition.folder-leads-out", slug=slug))
        return folder

    def _unknown(self, slug: str) -> UnknownCompetition:
        names = self._slugs()
        near = difflib.get_close_matches(slug.lower(), names, n=3, cutoff=0.5)
        message = coded("competition.unknown", slug=repr(slug[:100]), root=str(self.root))
        first = ", ".join(names[:_MOST_NAMES])
        more = len(names) - _MOST_NAMES
        if near:
            message += coded("competition.meant", names=" or ".join(near))
        elif more > 0:
            message += coded("competition.there-are-more", names=first, more=more)
        elif names:
            message += coded("competition.there-are", names=first)
        else:
            message += coded("competition.none-there")
        return UnknownCompetition(message)
