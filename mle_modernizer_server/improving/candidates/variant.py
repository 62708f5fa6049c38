"""Input and result of a codemod for a candidate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from packaging.version import InvalidVersion, Version

from mle_modernizer_server.code.pipeline.estimators import NO_PROBABILITIES
from mle_modernizer_server.code.pipeline.pipeline import Model, Pipeline
from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import Messages
from mle_modernizer_server.improving.edits import Edits, Writer

_VOTING = ("sklearn.ensemble.VotingClassifier", "sklearn.ensemble.VotingRegressor")


@dataclass(frozen=True)
class Facts:
    """Facts about the task that the code does not show.

    Attributes:
        metric: The metric of the competition.
        classes: The labels, if there are few; empty if there are many, or numbers.
        packages: Versions of the packages installed in the run's environment, by import name.
    """

    metric: Metric
    classes: tuple[str, ...] = ()
    packages: Mapping[str, str] = field(default_factory=dict)

    def has(self, package: str, least: str = "0") -> bool:
        """Return whether a package is installed in at least that version."""
        found = self.packages.get(package)
        try:
            return found is not None and Version(found) >= Version(least)
        except InvalidVersion:
            return False


@dataclass(frozen=True)
class Variant:
    """A change that may help.

    Attributes:
        kind: The codemod's name.
        name: A short name of the version for people.
        what: Description of the change.
        edits: The change.
    """

    kind: str
    name: str
    what: Messages
    edits: Edits


Variants = Iterator[Variant]


def averaged(writer: Writer, model: Model, list_of_estimators: str) -> str:
    """Return code for the average of several estimators, of the model's own task."""
    regression = model.estimator.task.value == "regression"
    voting = writer.name(model.core, _VOTING[regression])
    return f"{voting}({list_of_estimators}{'' if regression else ', voting=' + repr('soft')})"


def put_in_place(writer: Writer, model: Model, code: str) -> None:
    """Replace the estimator of a model; a search around it tries the new one's defaults.

    Raises:
        libcst.ParserSyntaxError: The code is no expression.
    """
    writer.replace(model.core, code)
    if model.grid is not None:
        writer.replace(model.grid.value, "{}")


def may_be_averaged(model: Model) -> bool:
    """Return whether the average of such models can replace one."""
    plain = model.is_plain and model.has_plain_fits and not set(model.wrappers) & set(_VOTING)
    return plain and (
        model.estimator.task.value == "regression" or model.estimator.name not in NO_PROBABILITIES
    )


def calls_any(pipeline: Pipeline, addresses: frozenset[str] | set[str]) -> bool:
    """Return whether the notebook calls a function at one of the addresses."""
    return bool(pipeline.addresses & addresses)
