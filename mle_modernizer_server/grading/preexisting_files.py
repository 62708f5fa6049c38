"""Files that were there before a run and are laid out like a submission."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import islice
from pathlib import Path

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.grading.csv_table import read_table
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.grading.validation import meant_columns
from mle_modernizer_server.untrusted.files import resolved

_MOST_FILES = 20
_MOST_LOOKED_AT = 200


def old_submissions(
    competition: Competition, public: Path, beside: Mapping[str, Path] | None = None
) -> dict[str, Path]:
    """Return the files by name: those of the notebook's folder first, then the public ones.

    Args:
        competition: Names the columns.
        public: The competition's public directory.
        beside: Files of the notebook's own folder that were visible to the run, by name.
    """
    wanted = {*competition.id_columns, *competition.target_columns}
    rename = partial(meant_columns, competition=competition)
    found: dict[str, Path] = {}
    files = dict(beside or {})
    for path in islice(sorted(public.rglob("*.csv")), _MOST_LOOKED_AT):
        files.setdefault(path.relative_to(public).as_posix(), path)
    for name, path in files.items():
        if len(found) == _MOST_FILES:
            break
        try:
            if wanted <= set(read_table(path, (), rename=rename, most_rows=1).header):
                found[name] = resolved(path) or path
        except InvalidSubmission:
            continue  # no table of ours: nothing can have been copied from it
    return found
