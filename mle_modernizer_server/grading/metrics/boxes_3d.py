"""Mean average precision of boxes in space, upright and rotated about the vertical axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mle_modernizer_server.grading.metrics.numbers import Floats

_THRESHOLDS = np.array([0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95])
_Point = tuple[float, float]


@dataclass(frozen=True)
class Solid:
    """A box in space.

    Attributes:
        label: Its class.
        score: The confidence; of a true box it means nothing.
        centre: x, y, z.
        size: Width, length, height; all above 0.
        yaw: Turn about the vertical axis in radians; the length points along it.
    """

    label: str
    score: float
    centre: tuple[float, float, float]
    size: tuple[float, float, float]
    yaw: float

    def ground(self) -> list[_Point]:
        """Return the corners of its base, counter-clockwise."""
        cosine, sine = math.cos(self.yaw), math.sin(self.yaw)
        half_width, half_length = self.size[0] / 2, self.size[1] / 2
        return [
            (
                self.centre[0] + along * cosine - aside * sine,
                self.centre[1] + along * sine + aside * cosine,
            )
            for along, aside in (
                (half_length, -half_width),
                (half_length, half_width),
                (-half_length, half_width),
                (-half_length, -half_width),
            )
        ]


def box_3d_map(truth: Sequence[Sequence[Solid]], predicted: Sequence[Sequence[Solid]]) -> float:
    """Return the mean over images and IoU thresholds (0.5 to 0.95) of the mean over the image's
    classes.

    NaN if an image of the answers has no box at all.

    Source: https://www.kaggle.com/competitions/3d-object-detection-for-autonomous-vehicles/overview/evaluation
    """
    scores = []
    for actual, given in zip(truth, predicted, strict=True):
        labels = sorted({box.label for box in actual})
        if not labels:
            return float("nan")
        of_classes = [_precisions(actual, given, label) for label in labels]
        scores.append(np.mean(of_classes, axis=0))
    return float(np.mean(scores))


def _precisions(actual: Sequence[Solid], given: Sequence[Solid], label: str) -> Floats:
    """Return the average precision of one class in one image at each threshold."""
    boxes = [box for box in actual if box.label == label]
    guesses = sorted(
        (box for box in given if box.label == label), key=lambda box: box.score, reverse=True
    )
    if not guesses:
        return np.zeros(len(_THRESHOLDS))
    ious = np.array([[_iou(guess, box) for box in boxes] for guess in guesses])
    nearest = ious.argmax(axis=1)
    highest = ious.max(axis=1)
    results = []
    for threshold in _THRESHOLDS:
        taken: set[int] = set()
        hits = np.zeros(len(guesses))
        for number, (box, value) in enumerate(zip(nearest, highest, strict=True)):
            if value > threshold and int(box) not in taken:
                taken.add(int(box))
                hits[number] = 1.0
        found = np.cumsum(hits)
        recalls = np.concatenate([[0.0], found / len(boxes), [1.0]])
        precisions = np.concatenate([[0.0], found / np.arange(1, len(hits) + 1), [0.0]])
        precisions = np.maximum.accumulate(precisions[::-1])[::-1]
        results.append(float(np.sum(np.diff(recalls) * precisions[1:])))
    return np.array(results)


def _iou(first: Solid, second: Solid) -> float:
    reach = math.hypot(*first.size[:2]) + math.hypot(*second.size[:2])
    apart = math.hypot(first.centre[0] - second.centre[0], first.centre[1] - second.centre[1])
    if 2 * apart > reach:
        return 0.0
    top = min(first.centre[2] + first.size[2] / 2, second.centre[2] + second.size[2] / 2)
    bottom = max(first.centre[2] - first.size[2] / 2, second.centre[2] - second.size[2] / 2)
    common = max(0.0, top - bottom) * _area(_clipped(first.ground(), second.ground()))
    either = math.prod(first.size) + math.prod(second.size) - common
    return min(1.0, max(0.0, common / either))


def _clipped(shape: list[_Point], window: list[_Point]) -> list[_Point]:
    """Return the part of a convex shape inside a convex window (Sutherland and Hodgman)."""
    for start, end in zip(window, window[1:] + window[:1], strict=True):
        along = (end[0] - start[0], end[1] - start[1])

        def side(point: _Point, start: _Point = start, along: tuple[float, float] = along) -> float:
            return along[0] * (point[1] - start[1]) - along[1] * (point[0] - start[0])

        kept: list[_Point] = []
        for here, there in zip(shape, shape[1:] + shape[:1], strict=True):
            one, two = side(here), side(there)
            if one >= 0:
                kept.append(here)
            if (one < 0 < two) or (two < 0 < one):
                share = one / (one - two)
                kept.append(
                    (
                        here[0] + share * (there[0] - here[0]),
                        here[1] + share * (there[1] - here[1]),
                    )
                )
        shape = kept
    return shape


def _area(shape: list[_Point]) -> float:
    """Return the area of a convex shape; coordinates relative to its first corner stay exact."""
    if not shape:
        return 0.0
    x, y = shape[0]
    moved = [(point[0] - x, point[1] - y) for point in shape]
    return (
        sum(
            here[0] * there[1] - there[0] * here[1]
            for here, there in zip(moved, moved[1:] + moved[:1], strict=True)
        )
        / 2
    )
