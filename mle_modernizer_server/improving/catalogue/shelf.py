"""All entries in use, the built-in ones and those of the user's own folder, ranked by BM25.

Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond* (2009,
https://doi.org/10.1561/1500000019), with the usual k1 = 1.2 and b = 0.75. Thirty lines, since the
texts fit into memory and no stored index is needed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.improving.catalogue.entry import Entry, TaskKind, read_entries
from mle_modernizer_server.untrusted.files import is_folder

_MOST_FILES = 200
_TITLE_WEIGHT = 3
_K1, _B = 1.2, 0.75
_WORD = re.compile(r"[a-z0-9]+")
_LONGEST_QUERY = 64
"""Words of a query that count."""
_SILENT = frozenset(
    {
        *("a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "it", "its", "of", "on"),
        *("or", "the", "to", "with"),
    }
)
_own: list[Entry] = []


@cache
def built_in() -> tuple[Entry, ...]:
    """Return the entries that come with the product.

    Raises:
        ValueError: A file is none of entries, or two share an id.
    """
    files = sorted((Path(__file__).parent / "entries").glob("*.yaml"))
    found = tuple(entry for file in files for entry in read_entries(file))
    if len({entry.id for entry in found}) < len(found):
        raise ValueError("two entries of the catalogue share an id")
    return found


def use_catalogue(folder: Path | None) -> tuple[str, ...]:
    """Add the user's own entries to the built-in ones, for this process.

    An entry with the id of a built-in one takes its place.

    Args:
        folder: The folder with the user's YAML files, if there is one.

    Returns:
        A sentence for each file that cannot be used; the others are taken.

    Raises:
        BadSetting: The folder does not exist.
    """
    problems: list[str] = []
    taken: dict[str, Entry] = {}
    if folder is not None:
        if not is_folder(folder):
            raise BadSetting(coded("catalogue.no-folder", folder=str(folder)))
        for file in islice(sorted(folder.glob("*.y*ml")), _MOST_FILES):
            try:
                taken.update({entry.id: entry for entry in read_entries(file)})
            except ValueError as error:
                problems.append(f"{file.name} holds no entries of a catalogue: {error}")
    _own[:] = taken.values()
    return tuple(problems)


def all_entries() -> tuple[Entry, ...]:
    """Return every entry, the user's own first."""
    own = {entry.id for entry in _own}
    return (*_own, *(entry for entry in built_in() if entry.id not in own))


def search(
    query: str,
    *,
    tasks: Collection[TaskKind] = (),
    metric: Metric | None = None,
    has: Callable[[str, str], bool] | None = None,
    most: int = 10,
) -> list[Entry]:
    """Return the matching entries, the best first.

    Args:
        query: Words; without any the order is the catalogue's own.
        tasks: Only entries for one of these; empty is any.
        metric: Entries made for it come first, those made for others are left out.
        has: Return whether a package is installed in at least a version; None checks nothing.
        most: Maximum number of entries.
    """
    fitting = [
        entry
        for entry in all_entries()
        if (not tasks or set(tasks) & set(entry.tasks))
        and (metric is None or not entry.metrics or metric in entry.metrics)
        and (has is None or all(has(name, least) for name, least in entry.packages.items()))
    ]
    if query.strip():
        fitting = [fitting[place] for place, _ in ranked(query, [_text(one) for one in fitting])]
    if metric is not None:
        fitting.sort(key=lambda entry: metric not in entry.metrics)
    return fitting[:most]


def _text(entry: Entry) -> str:
    title = f"{entry.title} {entry.id} " * _TITLE_WEIGHT
    names = (*(task.value for task in entry.tasks), *(one.value for one in entry.metrics))
    parts = (title, entry.about, entry.role.value, *names, *entry.packages)
    return " ".join(parts).replace("_", " ")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without plural `s` and stop words."""
    found = _WORD.findall(text.lower())
    return [_stem(word) for word in found if word not in _SILENT]


def _stem(word: str) -> str:
    plural = len(word) > 3 and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word


def ranked(query: str, texts: Sequence[str]) -> list[tuple[int, float]]:
    """Return the indices and scores of the texts that share a word with the query, best first."""
    documents = [Counter(words(text)) for text in texts]
    if not documents:
        return []
    lengths = [document.total() for document in documents]
    average = max(1.0, sum(lengths) / len(lengths))
    scores = [0.0] * len(documents)
    for word in dict.fromkeys(words(query)[:_LONGEST_QUERY]):
        having = sum(word in document for document in documents)
        rarity = math.log(1 + (len(documents) - having + 0.5) / (having + 0.5))
        for place, document in enumerate(documents):
            count = document[word]
            if count:
                weight = _K1 * (1 - _B + _B * lengths[place] / average)
                scores[place] += rarity * count * (_K1 + 1) / (count + weight)
    found = [(place, score) for place, score in enumerate(scores) if score > 0]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))
