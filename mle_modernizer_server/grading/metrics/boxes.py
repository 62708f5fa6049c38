"""Metrics on boxes and points in images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mle_modernizer_server.grading.metrics.lazily import scikit_learn
from mle_modernizer_server.grading.metrics.numbers import Floats

_MOST_DETECTIONS = 100
_RECALLS = np.linspace(0.0, 1.0, 101)


@dataclass(frozen=True)
class Box:
    """A box with its corners.

    Attributes:
        label: Its class.
        score: The confidence; of a true box it means nothing.
        corners: x_min, y_min, x_max, y_max.
    """

    label: str
    score: float
    corners: tuple[float, float, float, float]


def voc_map(
    truth: Sequence[Sequence[Box]], predicted: Sequence[Sequence[Box]], iou: float = 0.5
) -> float:
    """Return the mean over the answers' classes of the average precision, image by image.

    A box that is found is a hit with its confidence, one that matches nothing a false one, a true
    box that nobody found a hit with confidence 0, and an image with neither a miss with 0.

    Source: MLE-bench's reading of
    https://www.kaggle.com/competitions/siim-covid19-detection/overview/evaluation
    """
    scores = []
    for label in sorted({box.label for boxes in truth for box in boxes}):
        hits: list[int] = []
        confidences: list[float] = []
        for actual, given in zip(truth, predicted, strict=True):
            open_boxes = [box.corners for box in actual if box.label == label]
            guesses = [box for box in given if box.label == label]
            if not open_boxes and not guesses:
                hits.append(0)
                confidences.append(0.0)
            for guess in sorted(guesses, key=lambda box: box.score, reverse=True):
                ious = [_overlap(guess.corners, corners) for corners in open_boxes]
                best = int(np.argmax(ious)) if ious else -1
                found = best >= 0 and ious[best] > iou
                if found:
                    open_boxes.pop(best)
                hits.append(int(found))
                confidences.append(guess.score)
            hits += [1] * len(open_boxes)
            confidences += [0.0] * len(open_boxes)
        if all(hits):
            return float("nan")
        scores.append(float(scikit_learn().average_precision_score(hits, confidences)))
    return float(np.mean(scores)) if scores else 0.0


def _overlap(
    first: tuple[float, float, float, float], second: tuple[float, float, float, float]
) -> float:
    wide = max(0.0, min(first[2], second[2]) - max(first[0], second[0]))
    high = max(0.0, min(first[3], second[3]) - max(first[1], second[1]))
    common = wide * high
    either = _area(first) + _area(second) - common
    return common / either if either > 0 else 0.0


def _area(corners: tuple[float, float, float, float]) -> float:
    return (corners[2] - corners[0]) * (corners[3] - corners[1])


def coco_map(
    truth: Mapping[str, Sequence[Box]],
    predicted: Mapping[str, Sequence[Box]],
    iou: float = 0.4,
    *,
    corners_as_sizes: bool = False,
    zero_is_none: bool = False,
) -> float:
    """Return COCO's mean average precision at one IoU (101 recalls, best 100 boxes an image).

    Args:
        truth: The true boxes by image, images in order.
        predicted: The predicted ones.
        iou: Smallest IoU of a hit.
        corners_as_sizes: Take x_max and y_max for width and height, as MLE-bench's grader does.
        zero_is_none: Number the boxes from 0, which pycocotools takes for "no box": a hit of the
            first true box is counted as a false one, and the first predicted box takes nothing.

    Source: https://cocodataset.org/#detection-eval
    """
    first_true = next((box for boxes in truth.values() for box in boxes), None)
    first_given = next((box for boxes in predicted.values() for box in boxes), None)
    scores = []
    for label in sorted({box.label for boxes in truth.values() for box in boxes}):
        confidences: list[float] = []
        hits: list[bool] = []
        counted = 0
        for image, boxes in truth.items():
            actual = [box for box in boxes if box.label == label and _area(box.corners) >= 0]
            given = [box for box in predicted.get(image, ()) if box.label == label]
            given = sorted(given, key=lambda box: -box.score)[:_MOST_DETECTIONS]
            counted += len(actual)
            taken = [False] * len(actual)
            for box in given:
                best, least = -1, min(iou, 1 - 1e-10)
                for number, other in enumerate(actual):
                    value = _coco_overlap(box.corners, other.corners, corners_as_sizes)
                    if not taken[number] and value >= least:
                        best, least = number, value
                is_hit = best >= 0 and not (zero_is_none and actual[best] is first_true)
                if best >= 0:
                    taken[best] = not (zero_is_none and box is first_given)
                if not is_hit and _area(box.corners) < 0:
                    continue  # out of every range of sizes
                confidences.append(box.score)
                hits.append(is_hit)
        if counted:
            scores.append(_average_precision(confidences, hits, counted))
    return float(np.mean(scores)) if scores else float("nan")


def _coco_overlap(
    first: tuple[float, float, float, float],
    second: tuple[float, float, float, float],
    as_sizes: bool,
) -> float:
    if not as_sizes:
        return _overlap(first, second)
    wide = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    high = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    if wide <= 0 or high <= 0:
        return 0.0
    common = wide * high
    return common / (first[2] * first[3] + second[2] * second[3] - common)


def _average_precision(confidences: list[float], hits: list[bool], counted: int) -> float:
    if not hits:
        return 0.0
    order = np.argsort(-np.asarray(confidences), kind="stable")
    right = np.asarray(hits, dtype=np.float64)[order]
    recalls = np.cumsum(right) / counted
    precisions = np.cumsum(right) / (np.arange(1, len(right) + 1) + np.spacing(1))
    precisions = np.maximum.accumulate(precisions[::-1])[::-1]
    places = np.searchsorted(recalls, _RECALLS, side="left")
    return float(np.append(precisions, 0.0)[np.minimum(places, len(precisions))].mean())


@dataclass(frozen=True)
class Points:
    """Labelled points of an image: labels, and their places (rows of x, y)."""

    labels: list[str]
    places: Floats


@dataclass(frozen=True)
class Frames:
    """Labelled boxes of an image: labels, and rows of x_min, y_min, x_max, y_max."""

    labels: list[str]
    corners: Floats


def point_f1(truth: Sequence[Frames], predicted: Sequence[Points]) -> float:
    """Return F1 of points that must lie strictly inside a true box of their label, each box once.

    Source: https://www.kaggle.com/c/kuzushiji-recognition/overview/evaluation
    """
    hits = actual = given = 0
    for frames, points in zip(truth, predicted, strict=True):
        actual += len(frames.labels)
        given += len(points.labels)
        names = np.asarray(points.labels, dtype=object)
        unused = np.ones(len(points.labels), dtype=bool)
        for label, (x_min, y_min, x_max, y_max) in zip(frames.labels, frames.corners, strict=True):
            xs, ys = points.places[:, 0], points.places[:, 1]
            inside = (x_min < xs) & (xs < x_max) & (y_min < ys) & (ys < y_max)
            fitting = np.flatnonzero(inside & (names == label) & unused)
            if len(fitting):
                unused[fitting[0]] = False
                hits += 1
    return 2 * hits / (actual + given) if hits else 0.0
