"""Metrics on masks in run lengths: `start length start length …`, from 1.

Counts of pixels come from the runs themselves: no mask is ever laid out, but for the Hausdorff
distance, which needs coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.grading.refusal import BadCell

Runs = npt.NDArray[np.int64]
"""Rows of first and last-plus-one pixel, in order and apart."""


def decode_runs(text: str, pixels: int | None) -> Runs:
    """Return the runs of a mask.

    Args:
        text: The run lengths; empty for an empty mask.
        pixels: Size of the image; runs beyond it are cut off.

    Raises:
        BadCell: The text breaks a rule, which the message names.
    """
    words = text.split()
    try:
        numbers = np.array([int(word) for word in words], dtype=np.int64)
    except (ValueError, OverflowError) as error:
        raise BadCell(coded("cell.run-lengths")) from error
    if len(numbers) % 2:
        raise BadCell(coded("cell.odd-runs", count=len(numbers)))
    starts, lengths = numbers[0::2] - 1, numbers[1::2]
    if (starts < 0).any() or (lengths < 1).any():
        raise BadCell(coded("cell.runs-from-1"))
    if (np.diff(starts) < 0).any():
        raise BadCell(coded("cell.runs-unordered"))
    ends = starts + lengths
    if pixels is not None:
        inside = starts < pixels
        starts, ends = starts[inside], np.minimum(ends[inside], pixels)
    if (starts[1:] < ends[:-1]).any():
        raise BadCell(coded("cell.runs-overlap"))
    return np.column_stack([starts, ends])


def area(runs: Runs) -> int:
    """Return the number of pixels."""
    return int((runs[:, 1] - runs[:, 0]).sum())


def overlap(first: Runs, second: Runs) -> int:
    """Return the number of pixels that both masks have."""
    total = here = there = 0
    one, two = first.tolist(), second.tolist()
    while here < len(one) and there < len(two):
        low = max(one[here][0], two[there][0])
        high = min(one[here][1], two[there][1])
        total += max(0, high - low)
        if one[here][1] <= two[there][1]:
            here += 1
        else:
            there += 1
    return int(total)


def dice(truth: Runs, predicted: Runs, both_empty: float = float("nan")) -> float:
    """Return twice the overlap by both areas.

    Source: https://en.wikipedia.org/wiki/Dice-S%C3%B8rensen_coefficient
    """
    both = area(truth) + area(predicted)
    return 2 * overlap(truth, predicted) / both if both else both_empty


def global_dice(truth: Sequence[Runs], predicted: Sequence[Runs]) -> float:
    """Return the Dice coefficient over the pixels of all images together.

    Source: https://www.kaggle.com/competitions/google-research-identify-contrails-reduce-global-warming/overview/evaluation
    """
    both = sum(map(area, truth)) + sum(map(area, predicted))
    return 2 * sum(map(overlap, truth, predicted)) / both if both else float("nan")


def iou(truth: Runs, predicted: Runs, both_empty: float = float("nan")) -> float:
    """Return the overlap by the area of either (Jaccard index)."""
    common = overlap(truth, predicted)
    either = area(truth) + area(predicted) - common
    return common / either if either else both_empty


def f_beta(truth: Runs, predicted: Runs, beta: float) -> float:
    """Return F-beta of the pixels; 0 if both masks are empty, as in scikit-learn."""
    hits, actual, given = overlap(truth, predicted), area(truth), area(predicted)
    square = beta * beta
    below = square * actual + given
    return (1 + square) * hits / below if below else 0.0


def iou_precision(
    truth: Runs, predicted: Runs, pixels: int | None = None, empty_is_full: bool = False
) -> float:
    """Return the share of the IoU thresholds 0.5, 0.55 … 0.95 that a mask passes.

    Two empty masks are worth 1, an empty truth and a mask 0.

    Args:
        truth: The mask of one image.
        predicted: The predicted one.
        pixels: Size of the image, for `empty_is_full`.
        empty_is_full: Do as MLE-bench's grader does: its histogram takes an empty prediction for
            one of the whole image.

    Source: https://www.kaggle.com/competitions/tgs-salt-identification-challenge/overview/evaluation
    """
    if not area(truth):
        return 0.0 if area(predicted) else 1.0
    value = iou(truth, predicted)
    if empty_is_full and pixels and not area(predicted):
        value = area(truth) / pixels
    return float(np.mean(value > np.arange(0.5, 1.0, 0.05)))


def hausdorff(truth: Sequence[Runs], predicted: Sequence[Runs], height: int, width: int) -> float:
    """Return the Hausdorff distance of two volumes in a unit cube, by its diagonal.

    NaN if both are empty; 1 if one is, or if the prediction is more than ten times as large.

    Args:
        truth: A mask a slice; pixels count down the columns.
        predicted: The same.
        height: Of a slice, in pixels.
        width: Of a slice, in pixels.

    Source: https://www.kaggle.com/competitions/uw-madison-gi-tract-image-segmentation/overview/evaluation
    """
    actual, given = sum(map(area, truth)), sum(map(area, predicted))
    if not actual and not given:
        return float("nan")
    if len(truth) == len(predicted) and all(map(np.array_equal, truth, predicted)):
        return 0.0
    if not actual or not given or given > 10 * actual:
        return 1.0
    scale = np.array([len(truth), height, width], dtype=np.float64)
    # Only here: nothing else of scipy is needed for masks.
    from scipy.spatial.distance import directed_hausdorff

    here, there = (_coordinates(side, height) / scale for side in (truth, predicted))
    longest = max(directed_hausdorff(here, there)[0], directed_hausdorff(there, here)[0])
    return float(longest / np.sqrt(3))


def _coordinates(slices: Sequence[Runs], height: int) -> npt.NDArray[np.int64]:
    """Return slice, row and column of every pixel."""
    parts = []
    for number, runs in enumerate(slices):
        for start, end in runs.tolist():
            pixels = np.arange(start, end)
            parts.append(
                np.column_stack([np.full(len(pixels), number), pixels % height, pixels // height])
            )
    every = np.concatenate(parts)
    return every[np.lexsort((every[:, 2], every[:, 1], every[:, 0]))]


def union(masks: Sequence[Runs]) -> Runs:
    """Return the pixels that any of the masks has."""
    every = np.concatenate(list(masks))
    joined: list[list[int]] = []
    for start, end in sorted(every.tolist()):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return np.array(joined, dtype=np.int64).reshape(-1, 2)
