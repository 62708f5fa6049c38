"""The flags on how far auto mode goes: budgets, patience, alternatives, the yes ahead of time."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from mle_modernizer_server.cli.option_types import count, positive


@dataclass(frozen=True)
class Limits:
    """Limits of the work; None and False if not set."""

    max_tokens: int | None = None
    max_cost: float | None = None
    max_minutes: float | None = None
    patience: int | None = None
    alternatives: int | None = None
    allow_experiment_changes: bool = False

    def settings(self) -> dict[str, object]:
        """Return the session's settings for these limits; omit those not set."""
        said = {
            "max_tokens": self.max_tokens,
            "max_usd": self.max_cost,
            "max_seconds": None if self.max_minutes is None else 60 * self.max_minutes,
            "patience": self.patience,
            "alternatives": self.alternatives,
            "allow_experiment_changes": self.allow_experiment_changes or None,
        }
        return {name: value for name, value in said.items() if value is not None}


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    group = parser.add_argument_group("limits")
    group.add_argument(
        "--max-tokens", type=_tokens, metavar="N", help="stop when the model has used N tokens"
    )
    group.add_argument(
        "--max-cost", type=positive, metavar="USD", help="stop when the model has cost USD"
    )
    group.add_argument(
        "--max-minutes", type=positive, metavar="M", help="stop after M minutes of work"
    )
    group.add_argument(
        "--patience",
        type=count,
        metavar="N",
        help="stop after N fixes in a row without progress (default: 3)",
    )
    group.add_argument(
        "--alternatives",
        type=count,
        metavar="1..4",
        help="number of model fixes tried in parallel in auto mode (default: 1)",
    )
    group.add_argument(
        "--allow-experiment-changes",
        action="store_true",
        help="apply edits that change data, features, model, parameters, seeds or splits "
        "without asking",
    )


def _tokens(text: str) -> int:
    plain = text.replace("_", "").replace(",", "")
    if not plain.isdecimal() or int(plain) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(plain)


def take_limits(given: argparse.Namespace) -> Limits:
    """Return the limits from the arguments; their names are removed from the namespace."""
    taken = vars(given)
    names = [name for name in Limits.__dataclass_fields__ if name in taken]
    return Limits(**{name: taken.pop(name) for name in names})
