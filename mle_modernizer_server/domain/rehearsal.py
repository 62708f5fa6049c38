"""A run on a sample of the data: the sample, and which of its findings are doubtful."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding
from mle_modernizer_server.domain.message import Messages, coded


class RehearsalSettings(Value):
    """Settings of a rehearsal."""

    rows: int = Field(default=2_000, ge=20, le=1_000_000)
    """Approximate number of rows of a table in the sample."""
    time_limit: float | None = Field(default=None, gt=0, le=24 * 3600)
    """Seconds; None: a tenth of the notebook's own limit, but between 30 s and 120 s."""

    def limit(self, of_run: float) -> float:
        """Return the time limit of a rehearsal in seconds.

        Args:
            of_run: The notebook's own limit, the upper bound of a rehearsal's.
        """
        chosen = self.time_limit or min(max(of_run / 10, 30.0), 120.0)
        return min(chosen, of_run)


class SampledTable(Value):
    """A table of which the sample contains only some rows."""

    name: str
    """Path below the competition's public directory."""
    rows: int
    """Number of rows in the sample."""
    of: int
    """Number of rows in the data."""


class Sample(Value):
    """Content of a sample of a competition's data."""

    tables: tuple[SampledTable, ...] = ()
    """Tables that were cut; the others are complete."""
    files_left_out: int = 0
    """Number of pictures and similar files that no sampled row names."""
    notes: Messages = ()
    """Parts of the sample that are inconsistent."""

    @property
    def cut(self) -> bool:
        """Return whether it is smaller than the data."""
        return bool(self.tables) or self.files_left_out > 0

    @property
    def size(self) -> Messages:
        """Return its share of the data, by its largest table: `2,000 rows of 891,000`."""
        if not self.tables:
            return coded("sample.files", count=self.files_left_out)
        largest = max(self.tables, key=lambda table: table.of)
        return coded("sample.rows", rows=largest.rows, of=largest.of)


class Rehearsal(Value):
    """Details of an iteration of the kind `rehearsal`: it decides nothing."""

    rows: int
    """Approximate number of rows of a table requested."""
    sample: Sample
    seconds_for_sample: float
    """Seconds to create the sample; nearly 0 if it existed already."""
    doubtful: dict[str, Messages] = Field(default_factory=dict)
    """By cell id: reason why its error may come from the sample."""


def own_errors(found: tuple[Finding, ...], doubtful: Mapping[str, Messages]) -> tuple[Finding, ...]:
    """Return the root errors of a rehearsal that do not depend on the sample.

    Empty if the first one may come from the sample: the later ones are then doubtful too.

    Args:
        found: All findings.
        doubtful: By cell id, the reason why an error may come from the sample.
    """
    roots = [finding for finding in found if finding.kind is ErrorKind.ROOT]
    if not roots or roots[0].error.cell_id in doubtful:
        return ()
    return tuple(finding for finding in roots if finding.error.cell_id not in doubtful)
