"""Experiments on the origin of a run's results."""

from __future__ import annotations

from enum import Enum
from typing import Any

from pydantic import Field, model_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages


class ProofKind(str, Enum):
    """Kind of experiment."""

    LABEL_SHUFFLE = "label-shuffle"
    """A run with the training labels permuted must lose its score."""
    ROW_SHUFFLE = "row-shuffle"
    """Test rows and ids permuted must permute the predictions alike."""
    HALF_ROWS = "half-rows"
    """Half of the test rows must have the predictions that they have among all of them."""
    NO_COPY = "no-copy"
    """The submission is neither the sample nor a pre-existing file."""
    WAY = "way"
    """No cell in the backward slice of the submission failed."""


class ProofOutcome(str, Enum):
    """Result of an experiment."""

    PASSED = "passed"
    FAILED = "failed"
    """The result does not come from a model trained on the labels."""
    UNCLEAR = "unclear"
    """Inconclusive: neither a proof nor evidence against the result."""


class ProofCode(str, Enum):
    """Reason for a proof's outcome."""

    LABELS_MATTER = "labels-matter"
    LABELS_UNUSED = "labels-unused"
    """Permuted labels gave the same submission."""
    SCORE_KEPT = "score-kept"
    """The score survived permuted labels."""
    SCORE_NOT_COMPUTED = "score-not-computed"
    """Permuted labels led to the same printed score to the last digit."""
    SCORE_FELL_LITTLE = "score-fell-little"
    NO_BETTER_THAN_FLOOR = "no-better-than-floor"
    """There is no score above the floor to lose."""
    NO_SCORE = "no-score"
    """One of the runs has none."""
    FOLLOWS_ROWS = "follows-rows"
    FOLLOWS_IDS = "follows-ids"
    """The predictions moved with the ids of the permuted rows."""
    FOLLOWS_PLACES = "follows-places"
    """The predictions stayed in place although the rows were permuted."""
    ALL_THE_SAME = "all-the-same"
    """Every row has the same prediction."""
    ORDER_MATTERS = "order-matters"
    """The predictions changed with the rows' order."""
    ROWS_COST_SCORE = "rows-cost-score"
    """With the rows in another order the score is lost, though most predictions follow them."""
    ROWS_ALONE = "rows-alone"
    """The predictions of a row are independent of the other test rows."""
    ROWS_TOGETHER = "rows-together"
    """The predictions of a row depend on other test rows."""
    VARIES = "varies"
    """Two runs on the same data predict differently, so no comparison is possible."""
    IDS_DIFFER = "ids-differ"
    """The two submissions have different rows."""
    COPY = "copy"
    OWN = "own"
    CELLS_FAILED = "cells-failed"
    CELLS_RAN = "cells-ran"
    NOT_POSSIBLE = "not-possible"
    """The data cannot be permuted."""


class Proof(Value):
    """One experiment and its result."""

    kind: ProofKind
    outcome: ProofOutcome
    code: ProofCode
    parameters: dict[str, str] = Field(default_factory=dict)
    """Parameters of the code: scores, a file, cells."""
    reason: Messages = ()
    """Reason why it is not possible, as a clause after `because`."""
    seconds: float = 0.0
    """Duration of the run for it; 0 if there was none."""
    sample: Messages = ()
    """Size of the sample of the training data it used; empty for all of the data."""

    @model_validator(mode="before")
    @classmethod
    def _of_sentence(cls, value: Any) -> Any:
        """Convert logs from before reasons had codes, with a sentence among the parameters."""
        if isinstance(value, dict) and "reason" in value.get("parameters", {}):
            parameters = dict(value["parameters"])
            return {**value, "parameters": parameters, "reason": parameters.pop("reason")}
        return value


def speaks_against(proof: Proof) -> bool:
    """Return whether a proof rules out calling a result reproduced."""
    return proof.outcome is ProofOutcome.FAILED or proof.code is ProofCode.CELLS_FAILED
