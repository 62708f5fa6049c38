"""A data root on disk with small competitions, as a user would lay them out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from mle_modernizer_server.domain.competition import Competition
from mle_modernizer_server.grading.competitions import Competitions

MakeCompetition = Callable[..., Competition]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def working(tmp_path: Path) -> Path:
    folder = tmp_path / "working"
    folder.mkdir()
    return folder


@pytest.fixture
def make_competition(root: Path) -> MakeCompetition:
    """Writes a competition below the root and reads it back."""

    def make(
        answers: str,
        /,
        *,
        slug: str = "tiny",
        sample: str | None = None,
        files: dict[str, str] | None = None,
        **fields: Any,
    ) -> Competition:
        folder = root / slug
        public = folder / "prepared" / "public"
        private = folder / "prepared" / "private"
        public.mkdir(parents=True)
        private.mkdir(parents=True)
        (private / "answers.csv").write_text(answers)
        if sample is not None:
            (public / "sample_submission.csv").write_text(sample)
        for name, content in (files or {}).items():
            (public / name).write_text(content)
        description = {"id_columns": ["id"], **fields}
        (folder / "competition.yaml").write_text(yaml.safe_dump(description))
        return Competitions(root).get(slug)

    return make
