"""A printed text as words and numbers, without what differs from run to run."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

LONGEST = 50_000
"""Characters of a text that are compared."""

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NOISE = re.compile(
    r"""
    \d+%\|                                   # a progress bar of tqdm
    | \[[=>.\s]{5,}\]                        # one of Keras
    | ━{3,}
    | \b(CPU\ times|Wall\ time|Parser\ *:)
    | \b\d+\ loops?,\ best\ of | \bper\ loop\b
    | \bETA\b | \bms/step\b | \b[mu]?s/sample\b
    | (Warning|Deprecat\w+)\b                # and the line of code below it
    | ^\s*warnings\.warn\( | ^\S+\.py:\d+:
    | ^(Downloading|Collecting|Requirement\ already|Successfully\ installed|Installing)\b
    | ^\[nltk_data\]
    | \b(elapsed|took|time\ taken|duration|runtime|run\ time|seconds)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DATE = re.compile(
    r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?\b"  # only with a time: a date alone is data
    r"|\b\w{3} \w{3} +\d+ \d\d:\d\d:\d\d( \w+)? \d{4}\b"
    r"|\bDate: +\w{3}, \d\d \w{3} \d{4}\b|\bTime: +\d\d:\d\d:\d\d\b"  # of statsmodels
)
_DURATION = re.compile(r"(?<![\w.])\d+(\.\d+)?\s?(ns|µs|us|ms|s|sec|secs|min|mins|h)\b(?!/)")
_OBJECT = re.compile(r"<[^<>\n]{1,500}>")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")
_SCALAR = re.compile(r"\b(?:np\.|numpy\.)?(?:float|int|bool|str)\d*_?\(([^()\n]{0,100})\)")
_PREFIXED = re.compile(r"(?<![\w'\"])[ubr](?=['\"])")
_LONG = re.compile(r"(?<![\w.])(\d+)L\b")
_EXTENSION_ARRAY = re.compile(
    r"<\w*Array>\n(?P<values>[^<]*?)\nLength: \d+, dtype: [^\n]+"  # of pandas, now also of texts
)
_ARRAY = re.compile(r"\barray\((?=[\[(])")
_TEXT_ARRAY = re.compile(r",\s{0,100}dtype=(?:object|str|'?[<>|]?[US]\d+'?)\)")
_CALL = re.compile(
    r"(?<![\w.])(?:[a-z_]\w{0,60}\.){0,6}"
    r"([A-Z](?=\w{0,60}[a-z])\w{1,60}"  # a name in capitals alone may be a metric: `MAE(train=3)`
    r"|DBSCAN|HDBSCAN|OPTICS|NMF|PCA|TSNE|MDS|LDA|QDA|SVC|SVR|RFE|RFECV|RBF|GMM|BIRCH)\("
)
_KEYWORD = re.compile(r"\s*(\w+\s*=|\)|[A-Z]\w*\()")
_INFO_HEADINGS = (["#", "Column", "Non-Null", "Count", "Dtype"], ["#", "Column", "Dtype"])
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_WORD = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|\w+|[^\w\s]")
_LAYOUT = frozenset("-=_+|*.,:;[](){}'\"")
_SAME_WORDS = {"str": "object", "string": "object", "unicode": "object", "nat": "nan"}
_TRUTH = {"False": 0.0, "True": 1.0}
"""What dummies and masks show, which were numbers before pandas 2."""
_LONGEST_CALL = 5_000
_MOST_CALLS = 200


@dataclass(frozen=True)
class Token:
    """A word or a number of a text.

    Attributes:
        text: As it stands.
        line: Which line of the text it stands in, from 1.
        value: For a number: its value.
        step: For a number: one unit of the last digit shown; 0 for a whole number.
    """

    text: str
    line: int
    value: float | None = None
    step: float = 0.0


def tokens(text: str) -> list[Token]:
    """The words and numbers of a text; brackets, rules and white space are layout."""
    found: list[Token] = []
    skip_code = False
    for number, raw in enumerate(_plain(text).split("\n"), start=1):
        line = raw.rsplit("\r", 1)[-1]
        if skip_code and line.startswith((" ", "\t")):
            skip_code = False
            continue
        skip_code = False
        if _NOISE.search(line):
            skip_code = "warn" in line.lower()
            continue
        found.extend(_of_line(line, number))
    return found


def is_only_objects(text: str) -> bool:
    """Whether a text shows nothing but objects' addresses or constructors."""
    left = tokens(text)
    return bool(text.strip()) and all(token.text in ("object", "…") for token in left)


def _plain(text: str) -> str:
    text = _ANSI.sub("", text[:LONGEST]).replace("\r\n", "\n")
    if "Data columns (total" in text:
        text = "\n".join(_info_lines(text))
    if "f1-score" in text:
        text = "\n".join(_report_lines(text))
    text = _EXTENSION_ARRAY.sub(lambda match: match["values"], text)
    text = _TEXT_ARRAY.sub(")", _ARRAY.sub("(", text))
    text = _OBJECT.sub(" … ", _DATE.sub(" ", text))
    text = _SCALAR.sub(r"\1", _ADDRESS.sub(" ", text))
    text = _LONG.sub(r"\1", _PREFIXED.sub("", text))
    return _DURATION.sub(" ", _without_arguments(text))


def _info_lines(text: str) -> Iterator[str]:
    """The lines of `DataFrame.info()` as before pandas 1.0: without numbers and a heading.

    How much memory a table takes, and how many columns have which type, is left out.
    """
    numbered = False
    for line in text.split("\n"):
        if line.split() in _INFO_HEADINGS:
            numbered = True
            yield ""
            continue
        is_rule = numbered and not line.strip(" -")
        if is_rule or line.startswith(("memory usage:", "dtypes:")):
            yield ""
            continue
        parts = line.rsplit(None, 3)
        name = parts[0].split(None, 1) if len(parts) == 4 and parts[2] == "non-null" else []
        is_numbered = numbered and len(name) == 2 and name[0].isdigit()
        yield " ".join([name[1], *parts[1:]]) if is_numbered else line


_AVERAGE = re.compile(
    r"\s*(?:(?P<kept>avg / total|weighted avg)|accuracy|(?:micro|macro) avg)(?=\s{2})"
)


def _report_lines(text: str) -> Iterator[str]:
    """The lines of scikit-learn's report of a classifier, with the one average that all versions
    show: 0.20 added others, 0.22 the accuracy."""
    for line in text.split("\n"):
        match = _AVERAGE.match(line)
        if match is None:
            yield line
        else:
            yield f"average {line[match.end() :]}" if match["kept"] else ""


def _without_arguments(text: str) -> str:
    """`Ridge(alpha=1.0, copy_X=True)` → `Ridge …`: what is shown of an estimator has changed."""
    parts: list[str] = []
    position = 0
    for match in islice(_CALL.finditer(text), _MOST_CALLS):
        if match.start() < position:
            continue
        end = _closing(text, match.end())
        if end is None or not _KEYWORD.match(text, match.end()):
            parts.append(text[position : match.end()])
            position = match.end()
            continue
        parts.append(f"{text[position : match.start()]}{match.group(1)} … ")
        position = end
    return "".join([*parts, text[position:]])


def _closing(text: str, start: int) -> int | None:
    depth = 1
    for position in range(start, min(len(text), start + _LONGEST_CALL)):
        if text[position] == "(":
            depth += 1
        elif text[position] == ")":
            depth -= 1
            if not depth:
                return position + 1
    return None


def _of_line(line: str, number: int) -> Iterator[Token]:
    for match in _WORD.finditer(line):
        text = match.group()
        if _NUMBER.fullmatch(text) and _NUMBER.match(line, match.start()):
            yield Token(text, number, float(text), last_digit(text))
        elif text not in _LAYOUT:
            yield Token(_SAME_WORDS.get(text.lower(), text), number, _TRUTH.get(text))


def last_digit(number: str) -> float:
    """One unit of the last digit that a number shows: 0.01 for `0.25`, 0 for a whole number."""
    mantissa, _, exponent = number.lower().partition("e")
    _, point, decimals = mantissa.partition(".")
    power = int(exponent or 0)
    if not point and not exponent:
        return 0.0
    if abs(power) > 300:
        return math.inf
    return float(10.0 ** (power - len(decimals)))
