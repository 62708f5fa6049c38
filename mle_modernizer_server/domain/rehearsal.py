"""A run on a sample of the data: what it ran on, and what of its findings is of doubtful worth."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding
from mle_modernizer_server.domain.message import Messages, coded


class RehearsalSettings(Value):
    """How to rehearse."""

    rows: int = Field(default=2_000, ge=20, le=1_000_000)
    """About how many rows of a table the sample has."""
    time_limit: float | None = Field(default=None, gt=0, le=24 * 3600)
    """Seconds; None: a tenth of the notebook's own limit, but between 30 s and 120 s."""

    def limit(self, of_run: float) -> float:
        """Seconds a rehearsal may take.

        Args:
            of_run: The notebook's own limit; a rehearsal never has more.
        """
        chosen = self.time_limit or min(max(of_run / 10, 30.0), 120.0)
        return min(chosen, of_run)


class SampledTable(Value):
    """A table of which the sample holds some rows only."""

    name: str
    """Path below the competition's public directory."""
    rows: int
    """In the sample."""
    of: int
    """In the data."""


class Sample(Value):
    """What a sample of a competition's data consists of."""

    tables: tuple[SampledTable, ...] = ()
    """Those that were cut; the others are whole."""
    files_left_out: int = 0
    """Pictures and the like that no sampled row names."""
    notes: Messages = ()
    """What could not be kept consistent."""

    @property
    def cut(self) -> bool:
        """Whether it is any smaller than the data."""
        return bool(self.tables) or self.files_left_out > 0

    @property
    def size(self) -> Messages:
        """How much of the data it is, by its largest table: `2,000 rows of 891,000`."""
        if not self.tables:
            return coded("sample.files", count=self.files_left_out)
        largest = max(self.tables, key=lambda table: table.of)
        return coded("sample.rows", rows=largest.rows, of=largest.of)


class Rehearsal(Value):
    """What an iteration of the kind `rehearsal` was: it decides nothing."""

    rows: int
    """About how many rows of a table were asked for."""
    sample: Sample
    seconds_for_sample: float
    """What it took to have the sample; next to nothing where it was there already."""
    doubtful: dict[str, Messages] = Field(default_factory=dict)
    """By cell id: why its error may come from the sample."""


def own_errors(found: tuple[Finding, ...], doubtful: Mapping[str, Messages]) -> tuple[Finding, ...]:
    """The root errors of a rehearsal that are the notebook's own, whatever the sample.

    None where the first one may come from the sample: what follows it is worth nothing either.

    Args:
        found: All findings.
        doubtful: By cell id, why an error may come from the sample.
    """
    roots = [finding for finding in found if finding.kind is ErrorKind.ROOT]
    if not roots or roots[0].error.cell_id in doubtful:
        return ()
    return tuple(finding for finding in roots if finding.error.cell_id not in doubtful)
