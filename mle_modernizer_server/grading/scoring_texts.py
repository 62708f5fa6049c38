"""Metrics on the texts of a pair: lists, tags, sentences, masks and boxes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.grading.cells import MISSING
from mle_modernizer_server.grading.matching import Match
from mle_modernizer_server.grading.metrics import boxes, boxes_3d, masks, texts
from mle_modernizer_server.grading.metrics.masks import Runs
from mle_modernizer_server.grading.pairs import Pair
from mle_modernizer_server.grading.refusal import (
    BadCell,
    InvalidSubmission,
    Stage,
    UnusableAnswers,
    fault,
    shown,
)

_Truth = TypeVar("_Truth")
_Guess = TypeVar("_Guess")


def _both(
    pair: Pair, read: Callable[[str], _Guess], empty: str | None = ""
) -> tuple[list[_Guess], list[_Guess]]:
    return _both_kinds(pair, read, read, empty)


def _both_kinds(
    pair: Pair,
    read_truth: Callable[[str], _Truth],
    read: Callable[[str], _Guess],
    empty: str | None = "",
) -> tuple[list[_Truth], list[_Guess]]:
    """Return the truth and the predictions of the one target column, read cell by cell.

    Args:
        pair: Submission and answers.
        read_truth: Reads one of the answers; raises ValueError if it cannot.
        read: Reads a prediction, likewise.
        empty: Replacement of a missing cell; None: it is refused.
    """
    target = pair.competition.target_columns[0]
    answer = pair.competition.answer_columns[0]
    truth: list[_Truth] = []
    predicted: list[_Guess] = []
    fill = pair.competition.empty_as.get(target, empty)
    for row, text in enumerate(pair.true_cells(answer)):
        try:
            truth.append(read_truth((fill or "") if text in MISSING else text))
        except ValueError as error:
            line = pair.answers.lines[int(pair.match.truth_rows[row])]
            raise UnusableAnswers(
                coded("answers.cell", line=line, column=shown(answer), why=fault(error))
            ) from error
    for row, text in enumerate(pair.predicted_cells(target)):
        try:
            if text in MISSING and fill is None:
                raise BadCell(coded("cell.empty"))
            predicted.append(read((fill or "") if text in MISSING else text))
        except ValueError as error:
            raise _refused(pair, row, text, error) from error
    return truth, predicted


def _refused(pair: Pair, row: int, text: str, error: ValueError) -> InvalidSubmission:
    column = shown(pair.competition.target_columns[0])
    message = coded(
        "csv.cell", line=pair.line(row), column=column, value=shown(text), why=fault(error)
    )
    return InvalidSubmission(Stage.VALUES, message)


def _on_lists(
    metric: Callable[..., float],
    read: Callable[[str], object],
    empty: str | None = "",
    *options: str,
) -> Callable[[Pair], float]:
    """Return a metric on all truths and predictions that takes some of the competition's options.

    Args:
        metric: Of the two lists and the options.
        read: Reads a cell, see `_both`.
        empty: Replacement of a missing cell, see `_both_kinds`.
        options: Names of the options.
    """
    return lambda pair: metric(*_both(pair, read, empty), *map(pair.option, options))


def _list(text: str) -> list[str]:
    return text.split(" ")


def _map_at_k(pair: Pair) -> float:
    truth, predicted = _both(pair, _list, empty="nan")
    return texts.map_at_k([set(items) for items in truth], predicted, int(pair.option("k")))


def _ndcg_at_k(pair: Pair) -> float:
    truth, predicted = _both(pair, str.split)
    return texts.ndcg_at_k([set(items) for items in truth], predicted, int(pair.option("k")))


def _integers(text: str) -> list[int]:
    try:
        return [int(word) for word in text.split()]
    except ValueError as error:
        raise BadCell(coded("cell.whole-numbers")) from error


def _order_kendall_tau(pair: Pair) -> float:
    truth, predicted = _both(pair, str.split, empty="nan")
    target = pair.competition.target_columns[0]
    for row, (right, given) in enumerate(zip(truth, predicted, strict=True)):
        if len(right) != len(given) or not set(right) <= set(given):
            strange = sorted(set(right) - set(given))
            twice = coded("csv.item-twice")
            raise InvalidSubmission(
                Stage.VALUES,
                coded(
                    "csv.items",
                    line=pair.line(row),
                    column=shown(target),
                    given=len(given),
                    expected=len(right),
                    why=coded("csv.item-missing", item=shown(strange[0])) if strange else twice,
                ),
            )
    return texts.order_kendall_tau(truth, predicted)


def _masks(
    pair: Pair, empty: str | None = "", *, dash: bool = False
) -> tuple[list[Runs], list[Runs]]:
    """Return the masks; `dash`: a `-` is an empty one."""
    sizes = iter(_pixels(pair) * 2)

    def read(text: str) -> Runs:
        return masks.decode_runs("" if dash and text == "-" else text, next(sizes))

    return _both(pair, read, empty=empty)


def _pixels(pair: Pair) -> list[int | None]:
    count = len(pair.match.rows)
    if {"height", "width"} <= set(pair.competition.support):
        names = [pair.support("height"), pair.support("width")]
        return [int(high * wide) for high, wide in pair.numbers_of_answers(names).tolist()]
    options = pair.competition.options
    if {"height", "width"} <= set(options):
        return [int(options["height"] * options["width"])] * count
    return [None] * count


def _mean(values: list[float]) -> float:
    return float(np.mean(values))


def _on_masks(
    metric: Callable[..., float], option: str, empty: str | None = ""
) -> Callable[[Pair], float]:
    """Return the mean of a metric on two masks that takes one of the competition's options."""

    def score(pair: Pair) -> float:
        given = pair.option(option)
        pairs = zip(*_masks(pair, empty), strict=True)
        return _mean([metric(one, two, given) for one, two in pairs])

    return score


def _mask_global_dice(pair: Pair) -> float:
    return masks.global_dice(*_masks(pair, empty=None, dash=True))


def _mask_iou_precision(pair: Pair) -> float:
    pixels = int(pair.option("height") * pair.option("width"))
    full = bool(pair.option("empty_is_full"))
    pairs = zip(*_masks(pair), strict=True)
    return _mean([masks.iou_precision(one, two, pixels, full) for one, two in pairs])


def _mask_dice_hausdorff(pair: Pair) -> float:
    """Return the Dice per mask and Hausdorff per day: ids are `case…_day…_slice_…`."""
    truth, predicted = _masks(pair)
    dices = [masks.dice(one, two) for one, two in zip(truth, predicted, strict=True)]
    names = [pair.support("height"), pair.support("width")]
    name = pair.competition.id_columns[0]
    sizes: dict[str, tuple[int, int]] = {}
    true_ids = pair.true_cells(name)
    for key, (height, width) in zip(true_ids, pair.numbers_of_answers(names).tolist(), strict=True):
        sizes[key.split("_slice_")[0]] = (int(height), int(width))
    here = _by_day(true_ids, truth)
    there = _by_day(pair.predicted_cells(name), predicted)
    if sorted(here) != sorted(there):
        raise InvalidSubmission(Stage.IDS, coded("csv.days", column=shown(name)))
    distances = [masks.hausdorff(here[day], there[day], *sizes[day]) for day in sorted(here)]
    return 0.4 * _known_mean(dices) + 0.6 * (1 - _known_mean(distances))


def _by_day(ids: list[str], runs: list[Runs]) -> dict[str, list[Runs]]:
    slices: dict[str, list[Runs]] = {}
    for key, mask in zip(ids, runs, strict=True):
        slices.setdefault(key, []).append(mask)
    days: dict[str, list[Runs]] = {}
    for key in sorted(slices):
        days.setdefault(key.split("_slice_")[0], []).append(masks.union(slices[key]))
    return days


def _known_mean(values: list[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _numbers(words: list[str]) -> list[float]:
    values = [float(word) for word in words]
    if any(math.isnan(value) for value in values):
        raise BadCell(coded("cell.nan"))
    return values


def _in_parts(words: list[str], length: int, code: str) -> list[list[str]]:
    if len(words) % length:
        raise BadCell(coded(code, words=len(words), length=length))
    return [words[start : start + length] for start in range(0, len(words), length)]


def _boxes(text: str) -> list[boxes.Box]:
    """`label confidence x_min y_min x_max y_max …`."""
    found = []
    for part in _in_parts(text.split(), 6, "cell.words-a-box"):
        score, *corners = _numbers(part[1:])
        found.append(boxes.Box(part[0], score, (corners[0], corners[1], corners[2], corners[3])))
    return found


def _box_coco_map(pair: Pair) -> float:
    """Score boxes: the answers have a row per box, the submission one (or more) per image."""
    competition = pair.competition
    name = competition.id_columns[0]
    roles = ("x_min", "y_min", "x_max", "y_max")
    whole = Pair(pair.answers, pair.answers, _every_row(pair), competition)
    corners = whole.numbers_of_answers([pair.support(role) for role in roles]).tolist()
    truth: dict[str, list[boxes.Box]] = {}
    labels = pair.answers.columns[competition.answer_columns[0]]
    for image, label, (left, top, right, bottom) in zip(
        pair.answers.columns[name], labels, corners, strict=True
    ):
        box = boxes.Box(_class(label), 1.0, (left, top, right, bottom))
        truth.setdefault(image, []).append(box)
    predicted: dict[str, list[boxes.Box]] = {}
    target = competition.target_columns[0]
    images = pair.true_cells(name)
    for row, (image, text) in enumerate(zip(images, pair.predicted_cells(target), strict=True)):
        try:
            if text in MISSING:
                raise BadCell(coded("cell.empty-boxes"))
            found = [boxes.Box(_class(box.label), box.score, box.corners) for box in _boxes(text)]
        except ValueError as error:
            raise _refused(pair, row, text, error) from error
        predicted.setdefault(image, []).extend(found)
    return boxes.coco_map(
        truth,
        predicted,
        pair.option("iou"),
        corners_as_sizes=bool(pair.option("corners_as_sizes")),
        zero_is_none=bool(pair.option("zero_is_none")),
    )


def _every_row(pair: Pair) -> Match:
    every = np.arange(len(pair.answers), dtype=np.intp)
    return Match(every, every)


def _class(label: str) -> str:
    value = float(label)
    if not math.isfinite(value):
        raise BadCell(coded("cell.class-infinite"))
    return str(int(value))


def _solids(text: str) -> list[boxes_3d.Solid]:
    """`confidence x y z width length height yaw label …`."""
    if not text.strip():
        return []
    found = []
    for part in _in_parts(text.split(" "), 9, "cell.words-a-box"):
        score, x, y, z, width, length, height, yaw = _numbers(part[:8])
        if min(width, length, height) <= 0:
            raise BadCell(coded("cell.box-size"))
        if not all(map(math.isfinite, (x, y, z, width, length, height, yaw))):
            raise BadCell(coded("cell.box-infinite"))
        found.append(boxes_3d.Solid(part[8], score, (x, y, z), (width, length, height), yaw))
    return found


def _point_f1(pair: Pair) -> float:
    def points(text: str) -> boxes.Points:
        parts = _in_parts(text.split(" "), 3, "cell.words-a-point") if text else []
        places = [[float(part[1]), float(part[2])] for part in parts]
        return boxes.Points([part[0] for part in parts], np.array(places).reshape(-1, 2))

    def frames(text: str) -> boxes.Frames:
        parts = _in_parts(text.split(" "), 5, "cell.words-a-box") if text else []
        sides = np.array([[float(word) for word in part[1:]] for part in parts]).reshape(-1, 4)
        corners = np.column_stack([sides[:, :2], sides[:, :2] + sides[:, 2:]])
        return boxes.Frames([part[0] for part in parts], corners)

    truth, predicted = _both_kinds(pair, frames, points)
    return boxes.point_f1(truth, predicted)


ON_TEXTS: dict[Metric, Callable[[Pair], float]] = {
    Metric.MAP_AT_K: _map_at_k,
    Metric.NDCG_AT_K: _ndcg_at_k,
    Metric.TAG_F1: _on_lists(texts.tag_f1, lambda text: set(text.split())),
    Metric.WORD_JACCARD: _on_lists(texts.word_jaccard, str, "", "both_empty"),
    Metric.EDIT_DISTANCE: _on_lists(texts.edit_distance, str, None),
    Metric.CHARACTER_ERROR_RATE: _on_lists(texts.error_rate, str),
    Metric.WORD_ERROR_RATE: _on_lists(texts.error_rate, str.split),
    Metric.SEQUENCE_ERROR_RATE: _on_lists(texts.error_rate, _integers, None),
    Metric.ORDER_KENDALL_TAU: _order_kendall_tau,
    Metric.MASK_DICE: _on_masks(masks.dice, "both_empty"),
    Metric.MASK_GLOBAL_DICE: _mask_global_dice,
    Metric.MASK_IOU: _on_masks(masks.iou, "both_empty"),
    Metric.MASK_F_BETA: _on_masks(masks.f_beta, "beta", None),
    Metric.MASK_IOU_PRECISION: _mask_iou_precision,
    Metric.MASK_DICE_HAUSDORFF: _mask_dice_hausdorff,
    Metric.BOX_VOC_MAP: _on_lists(boxes.voc_map, _boxes, None, "iou"),
    Metric.BOX_COCO_MAP: _box_coco_map,
    Metric.BOX_3D_MAP: _on_lists(boxes_3d.box_3d_map, _solids),
    Metric.POINT_F1: _point_f1,
}
