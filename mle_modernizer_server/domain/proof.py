"""What a run shows of where its results come from, by experiment."""

from __future__ import annotations

from enum import Enum
from typing import Any

from pydantic import Field, model_validator

from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.message import Messages


class ProofKind(str, Enum):
    """What was tried."""

    LABEL_SHUFFLE = "label-shuffle"
    """A run with the training labels permuted must lose its score."""
    ROW_SHUFFLE = "row-shuffle"
    """Test rows and ids permuted must permute the predictions alike."""
    HALF_ROWS = "half-rows"
    """Half of the test rows must have the predictions that they have among all of them."""
    NO_COPY = "no-copy"
    """The submission is neither the sample nor a file that was there before."""
    WAY = "way"
    """No cell on the way to the submission failed."""


class ProofOutcome(str, Enum):
    """What it showed."""

    PASSED = "passed"
    FAILED = "failed"
    """The result does not come from a model trained on the labels."""
    UNCLEAR = "unclear"
    """It shows neither: no proof, and no reproach."""


class ProofCode(str, Enum):
    """Why a proof came out as it did."""

    LABELS_MATTER = "labels-matter"
    LABELS_UNUSED = "labels-unused"
    """Permuted labels gave the same submission."""
    SCORE_KEPT = "score-kept"
    """Permuted labels did not cost the score."""
    SCORE_NOT_COMPUTED = "score-not-computed"
    """Permuted labels gave the same printed score to the last digit."""
    SCORE_FELL_LITTLE = "score-fell-little"
    NO_BETTER_THAN_FLOOR = "no-better-than-floor"
    """There is nothing to lose."""
    NO_SCORE = "no-score"
    """One of the runs has none."""
    FOLLOWS_ROWS = "follows-rows"
    FOLLOWS_IDS = "follows-ids"
    """The predictions stayed with the ids while the rows moved."""
    FOLLOWS_PLACES = "follows-places"
    """The predictions stayed where they were while the rows moved."""
    ALL_THE_SAME = "all-the-same"
    """Every row has the same prediction."""
    ORDER_MATTERS = "order-matters"
    """The predictions changed with the rows' order."""
    ROWS_COST_SCORE = "rows-cost-score"
    """With the rows in another order the score is lost, though most predictions follow them."""
    ROWS_ALONE = "rows-alone"
    """The predictions of a row are the same whatever other test rows there are."""
    ROWS_TOGETHER = "rows-together"
    """They are others: what is predicted depends on other test rows."""
    VARIES = "varies"
    """Two runs on the same data predict differently, so nothing can be compared."""
    IDS_DIFFER = "ids-differ"
    """The two submissions are of other rows."""
    COPY = "copy"
    OWN = "own"
    CELLS_FAILED = "cells-failed"
    CELLS_RAN = "cells-ran"
    NOT_POSSIBLE = "not-possible"
    """The data cannot be permuted."""


class Proof(Value):
    """One experiment and what it showed."""

    kind: ProofKind
    outcome: ProofOutcome
    code: ProofCode
    parameters: dict[str, str] = Field(default_factory=dict)
    """What the code speaks of: scores, a file, cells."""
    reason: Messages = ()
    """Why it is not possible, to follow on a `because`."""
    seconds: float = 0.0
    """What the run behind it took; 0 where there was none."""
    sample: Messages = ()
    """Size of the sample of the training data it was made on; empty for all of the data."""

    @model_validator(mode="before")
    @classmethod
    def _of_sentence(cls, value: Any) -> Any:
        """Logs from before reasons had codes hold a sentence among the parameters."""
        if isinstance(value, dict) and "reason" in value.get("parameters", {}):
            parameters = dict(value["parameters"])
            return {**value, "parameters": parameters, "reason": parameters.pop("reason")}
        return value


def speaks_against(proof: Proof) -> bool:
    """Whether a proof forbids to call a result reproduced."""
    return proof.outcome is ProofOutcome.FAILED or proof.code is ProofCode.CELLS_FAILED
