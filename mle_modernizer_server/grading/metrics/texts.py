"""Metrics on texts, lists of labels and orders."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from rapidfuzz.distance import Levenshtein

First = TypeVar("First")
Second = TypeVar("Second")


def map_at_k(truth: Sequence[set[str]], predicted: Sequence[list[str]], k: int) -> float:
    """Return the mean average precision of the first k labels; a label that is repeated counts
    once.

    Source: https://github.com/benhamner/Metrics (`mapk`)
    """

    def one(actual: set[str], given: list[str]) -> float:
        seen: set[str] = set()
        total = 0.0
        for rank, label in enumerate(given[:k], start=1):
            if label in actual and label not in seen:
                seen.add(label)
                total += len(seen) / rank
        return total / min(len(actual), k) if actual else 0.0

    return _mean(one, truth, predicted)


def ndcg_at_k(truth: Sequence[set[str]], predicted: Sequence[list[str]], k: int) -> float:
    """Return the normalised discounted cumulative gain of the first k labels, a right one worth 1.

    Source: https://www.kaggle.com/competitions/airbnb-recruiting-new-user-bookings/overview/evaluation
    """

    def one(actual: set[str], given: list[str]) -> float:
        seen: set[str] = set()
        gain = 0.0
        for rank, label in enumerate(given[:k], start=1):
            if label in actual and label not in seen:
                seen.add(label)
                gain += 1 / math.log2(rank + 1)
        best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(actual), k) + 1))
        return gain / best if actual else 0.0

    return _mean(one, truth, predicted)


def tag_f1(truth: Sequence[set[str]], predicted: Sequence[set[str]]) -> float:
    """Return the micro F1 over sets of tags; tags that no answer has are not counted.

    Source: scikit-learn's `f1_score(average="micro")` over the answers' tags.
    """
    known = set().union(*truth)
    hits = actual = given = 0
    for tags, guess in zip(truth, predicted, strict=True):
        counted = guess & known
        hits += len(tags & counted)
        actual += len(tags)
        given += len(counted)
    return 2 * hits / (actual + given) if actual + given else 0.0


def word_jaccard(truth: Sequence[str], predicted: Sequence[str], both_empty: float) -> float:
    """Return the mean Jaccard index of the sets of words, in lower case.

    Args:
        truth: The texts.
        predicted: The predicted ones.
        both_empty: Score of a row if neither text has a word.

    Source: https://www.kaggle.com/competitions/tweet-sentiment-extraction/overview/evaluation
    """

    def one(text: str, guess: str) -> float:
        here, there = set(text.lower().split()), set(guess.lower().split())
        return len(here & there) / len(here | there) if here or there else both_empty

    return _mean(one, truth, predicted)


def edit_distance(truth: Sequence[str], predicted: Sequence[str]) -> float:
    """Return the mean Levenshtein distance in characters.

    Source: https://rapidfuzz.github.io/RapidFuzz/Usage/distance/Levenshtein.html
    """
    return _mean(lambda text, guess: float(Levenshtein.distance(text, guess)), truth, predicted)


def error_rate(
    truth: Sequence[Sequence[Hashable]], predicted: Sequence[Sequence[Hashable]]
) -> float:
    """Return the edit distances divided by the length of all true sequences; it can exceed 1.

    With texts it is the character error rate, with lists of words the word error rate.

    Source: https://en.wikipedia.org/wiki/Word_error_rate
    """
    length = sum(len(sequence) for sequence in truth)
    edits = sum(
        Levenshtein.distance(sequence, guess)
        for sequence, guess in zip(truth, predicted, strict=True)
    )
    return edits / length if length else float("nan")


def order_kendall_tau(truth: Sequence[list[str]], predicted: Sequence[list[str]]) -> float:
    """Return 1 - 4 inversions / (n (n - 1)), inversions and pairs summed over all rows.

    Args:
        truth: The right order of each row's items.
        predicted: The same items in the predicted order.

    Source: https://www.kaggle.com/code/ryanholbrook/competition-metric-kendall-tau-correlation
    """
    inversions = pairs = 0
    for right, given in zip(truth, predicted, strict=True):
        places = {item: place for place, item in reversed(list(enumerate(given)))}
        so_far: list[int] = []
        for number, item in enumerate(right):
            place = places[item]
            at = bisect_right(so_far, place)
            inversions += number - at
            so_far.insert(at, place)
        pairs += len(right) * (len(right) - 1)
    return 1 - 4 * inversions / pairs if pairs else float("nan")


def _mean(
    one: Callable[[First, Second], float], truth: Sequence[First], predicted: Sequence[Second]
) -> float:
    return sum(map(one, truth, predicted)) / len(truth)
