"""Split a printed text into words and numbers, without parts that differ from run to run."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

LONGEST = 50_000
"""Characters of a text that are compared."""
_LONGEST_VALUE = 2_000

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NOISE = re.compile(
    r"""
    \d+%\s?\|                                # a progress bar of tqdm, or of pip
    | \[[=>.\s]{5,}\]                        # one of Keras
    | ━{3,}
    | \|█*\s*\|\ *(\(\w+\)\ *)?\d+%           # of H2O
    | \b(CPU\ times|Wall\ time|Parser\ *:)
    | \b\d+\ loops?,\ best\ of | \bper\ loop\b
    | \bETA\b | \bms/step\b | \b[mu]?s/sample\b
    | (Warning|Deprecat\w+)\b                # and the line of code below it
    | ^\s*warnings\.warn\( | ^\S+\.py:\d+:
    | ^\s*(Downloading|Collecting|Requirement\ already|Successfully\ (installed|built))\b
    | ^\s*(Installing|Using\ cached|Building\ wheels?|Created\ wheel|Stored\ in\ directory)\b
    | ^\[nltk_data\]
    | ^Using\ matplotlib\ backend:            # of the machine, printed by %matplotlib
    | ^\[Parallel\b                         # of joblib: as often as there is time
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DATE = re.compile(
    r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?\b"  # only with a time: a date alone is data
    r"|\b\w{3} \w{3} +\d+ \d\d:\d\d:\d\d( \w+)? \d{4}\b"
    r"|\bDate: +\w{3}, \d\d \w{3} \d{4}\b|\bTime: +\d\d:\d\d:\d\d\b"  # of statsmodels
)
_CLOCK = r"(?<![\w.:])(?:\d+:){0,2}\d+(?:\.\d+)?"
_DURATION = re.compile(_CLOCK + r"\s?(ns|µs|us|ms|s|secs?|seconds?|mins?|h)\b(?!/)")
_TIMED = re.compile(
    r"\b(elapsed|took|time taken|duration|runtime|run time|seconds)\b"
    r"|\btime\s?\((?:m?s|secs?|min)\)",
    re.IGNORECASE,
)
"""Words of a line with a duration, which may have no unit of its own."""
_LONG_DURATION = re.compile(
    rf"{_CLOCK}\s?(?:minutes?|hours?|hrs?|days?)\b|(?<![\w.:])\d+:\d\d(?::\d\d)?(?:\.\d+)?(?![\w:])"
)
_TIMES_OF_FOLDS = re.compile(r"'(?:fit|score)_time': array\(\[[^\[\]]{0,2000}\]\),?")
_OBJECT = re.compile(r"<[^<>\n]{1,500}>")
_METHOD = re.compile(r"<bound method (?:[A-Za-z_]\w{0,60}\.){1,9}(?=[A-Za-z_]\w{0,60} of )")
"""With the class that defines the method, which is another one in other versions of a library."""
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}\b")
_SCALAR = re.compile(r"\b(?:np\.|numpy\.)?(?:float|int|bool|str)\d*_?\(([^()\n]{0,100})\)")
_NUMPY_TRUTH = re.compile(r"\b(?:np|numpy)\.(True|False)_(?!\w)")
_PREFIXED = re.compile(r"(?<![\w'\"])[ubr](?=['\"])")
_ESCAPED = re.compile(r"\\x([89a-f][0-9a-f])|\\u((?!00[0-7])[0-9a-f]{4})")
"""A letter beyond ASCII, as Python 2 shows it in a list."""
_LONG = re.compile(r"(?<![\w.])(\d+)L\b")
_EXTENSION_ARRAY = re.compile(
    r"<\w*Array>\n(?P<values>[^<]*?)\nLength: \d+, dtype: [^\n]+"  # of pandas, now also of texts
)
_CLASS = re.compile(
    r"<(?:class|type) '(?:\w{1,99}\.){0,9}(\w{1,99})'>"
    r"|(?:^|(?<=[\[(, ]))(?:pandas|numpy|scipy|sklearn|matplotlib)\.(?:\w+\.){0,9}"
    r"([A-Za-z_]\w*)(?=$|[,)\]])",
    re.MULTILINE,
)
"""Modules have moved: `pandas.core.frame.DataFrame` is `pandas.DataFrame` now."""
_TEXT_DTYPE = re.compile(r"dtype\('O'\)|<StringDtype\([^()\n]{0,100}\)>")
_TIME_UNIT = re.compile(r"\b((?:datetime|timedelta)64|[mM]8)\[\w{1,3}(?=[\],])")
_INDEX = re.compile(r"\b(?:U?Int|Float)64Index(?=\(|: \d)|\bRangeIndex(?=: \d)")
"""As a value, and in the output of `DataFrame.info()`."""
_CATEGORIES = re.compile(r"\bCategories \((\d+), [^()\n]{1,100}\)")
_FREQUENCY = re.compile(r"(?<=')(?:, (?:offset|freq)='[^'\n]{1,20}')(?=(?:, tz='[^'\n]{1,40}')?\))")
_TIMESTAMP = re.compile(r"\bTimestamp\('([^'\n]{1,40})'[^()\n]{0,60}\)")
_TEST = re.compile(r"\b[A-Z]\w{0,60}[rR]esult\((?=\w{1,60}=)")
_DEGREES = re.compile(r"\bdf=[^,()]{0,40},?")
_KEYWORDS = re.compile(r"(?<![\w.])[A-Za-z_]\w{0,60}=(?!=)")
_DICT_VIEW = re.compile(r"\bdict_(?:keys|values|items)\((?=\[)")
_FOOTER = re.compile(r"^(.*\b)?(Name: (?P<name>.*?), )(?=(?:Length: \d+, )?dtype: \S+$)")
_ARRAY = re.compile(r"\barray\((?=[\[(])")
_ARRAY_SHAPE = re.compile(r",\s{0,100}shape=\(\d+(?:, ?\d+)*,?\)(?=[,)])")
"""Of an array that is printed in part, since NumPy 2.2."""
_TEXT_ARRAY = re.compile(r",\s{0,100}dtype=(?:object|str|bool|int32|int64|'?[<>|]?[US]\d+'?)\)")
_CALL = re.compile(
    r"(?<![\w.])(?:[a-z_]\w{0,60}\.){0,6}"
    r"([A-Z](?=\w{0,60}[a-z])\w{1,60}"  # a name in capitals alone may be a metric: `MAE(train=3)`
    r"|DBSCAN|HDBSCAN|OPTICS|NMF|PCA|TSNE|MDS|LDA|QDA|SVC|SVR|RFE|RFECV|RBF|GMM|BIRCH)\("
)
_KEYWORD = re.compile(r"\s*(\w+\s*=|\)|[A-Z]\w*\()")
_INFO = re.compile(r"Data columns \(total|^(?:Columns|Series name): ", re.MULTILINE)
"""Output of `info()` for a table, for one with many columns, and for a `Series`."""
_INFO_HEADINGS = (["#", "Column", "Non-Null", "Count", "Dtype"], ["#", "Column", "Dtype"])
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?(?!\w|\.\w)")
"""Also at the end of a sentence; `1.2.3` is none."""
_WORD = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|\w+|[^\w\s]")
_LAYOUT = frozenset("-=_+|*.,:;[](){}'\"")
_SAME_WORDS = {
    **{"str": "object", "string": "object", "unicode": "object"},
    **{"nan": "nan", "nat": "nan", "none": "nan"},
}
_SPARSE = re.compile(
    r"<(?:(?P<rows>\d+)x(?P<columns>\d+) sparse (?:matrix|array) of type '[^\n]{1,60}'"
    r"|[A-Z][\w ]{1,40} sparse (?:matrix|array) of dtype '[^'\n]{1,40}')"
    r"\s+with (?P<stored>\d+) stored elements[^<>\n]{0,80}?(?:\((?P<shape>\d+, \d+)\))?>"
    r"(?P<values>\n\s*Coords\s+Values)?"
)
"""A sparse matrix of SciPy; since 1.14 also printed above its values."""
_CONFIDENCE = re.compile(r"\[95\.0% Conf\. Int\.\]|\[0\.025 +0\.975\]")
"""Names of the bounds of an interval in statsmodels, before 0.9 and since."""
_VERSION = re.compile(
    r"(?<![\w.:/-])\d{1,2}\.\d{1,3}\.\d{1,3}(?:(?:a|b|rc|\.dev|\.post)\d+)?(?![\w.])"
)
"""A library's version, which is another one in any other environment."""
_TRUTH = {"False": 0.0, "True": 1.0}
"""Values of dummies and masks, which were numbers before pandas 2."""
_LONGEST_CALL = 5_000
_MOST_CALLS = 200
_DEEPEST = 5
_NESTED = re.compile(r"[(\[{][^()\[\]{}]*[)\]}]")
_NUMERIC = re.compile(r"(?<![\w.])(\w{1,60})=([-+]?\d[\w.+-]{0,30})(?=\s*(?:,|$))")


@dataclass(frozen=True)
class Token:
    """A word or a number of a text.

    Attributes:
        text: As in the source.
        line: Its line in the text, from 1.
        value: For a number: its value.
        step: For a number: one unit of the last printed digit; 0 for a number without decimals.
    """

    text: str
    line: int
    value: float | None = None
    step: float = 0.0

    @property
    def is_whole(self) -> bool:
        """Return whether it is a whole number, such as a count or a year, also as `2015.0`."""
        return self.value is not None and self.value.is_integer() and self.step < 1


Argument = tuple[str, str]
"""Whose argument it is, and its name."""


def tokens(
    text: str, *, with_dates: bool = False, arguments: frozenset[Argument] = frozenset()
) -> list[Token]:
    """Return the words and numbers of a text; brackets, rules and white space are layout.

    Args:
        text: The text.
        with_dates: Dates with a time of day count, as in a table; in a log they are the time of the
            run.
        arguments: The arguments that count if an object is printed as its constructor.
    """
    found: list[Token] = []
    skip_code = False
    for number, raw in enumerate(_plain(text, with_dates, arguments).split("\n"), start=1):
        line = raw.rsplit("\r", 1)[-1]
        if skip_code and line.startswith((" ", "\t")):
            skip_code = False
            continue
        skip_code = False
        if _NOISE.search(line):
            skip_code = "warn" in line.lower()
            continue
        found.extend(_of_line(_without_duration(line), number))
    return found


def _without_duration(line: str) -> str:
    """Return a line without the durations in it; its other numbers stay."""
    left, count = _DURATION.subn(" ", line)
    if _TIMED.search(line) is None:
        return left
    left, more = _LONG_DURATION.subn(" ", left)
    word = _TIMED.search(left)
    if count or more or word is None:
        return left
    after = _NUMBER.search(left, word.end())
    before = [*_NUMBER.finditer(left, 0, word.start())]
    number = after or (before[-1] if before else None)
    return left if number is None else f"{left[: number.start()]} {left[number.end() :]}"


def is_only_objects(text: str) -> bool:
    """Return whether a text has only objects' addresses or constructors, or a version."""
    left = tokens(text)
    return bool(text.strip()) and all(token.text in ("object", "…") for token in left)


def _beginning(text: str) -> str:
    """Return the part of a text to compare: up to the end of a line, or at least of a value."""
    if len(text) <= LONGEST:
        return text
    ends = (text.rfind(end, LONGEST - _LONGEST_VALUE, LONGEST) for end in ("\n", ", ", " "))
    return text[: next((end for end in ends if end > 0), LONGEST)]


def _plain(text: str, with_dates: bool, arguments: frozenset[Argument]) -> str:
    text = _ANSI.sub("", _beginning(text)).replace("\r\n", "\n")
    if _INFO.search(text):
        text = "\n".join(_info_lines(text))
    if "f1-score" in text:
        text = "\n".join(_report_lines(text))
    text = _of_pandas_and_numpy(_TIMES_OF_FOLDS.sub("", text))
    if not with_dates:
        text = _VERSION.sub(" … ", _CONFIDENCE.sub(" ", _DATE.sub(" ", text)))
    text = _OBJECT.sub(" … ", _METHOD.sub("bound method ", _SPARSE.sub(_size_of_sparse, text)))
    text = without_scalars(ADDRESS.sub(" ", text))
    text = _ESCAPED.sub(lambda match: chr(int(match[1] or match[2], 16)), text)
    text = _LONG.sub(r"\1", _PREFIXED.sub("", text))
    text = _numbers_of_tests(text)
    return _without_arguments(text, arguments)


def without_scalars(text: str) -> str:
    """Return a text with NumPy's scalars as plain numbers: NumPy 2 shows `np.int64(1)` for 1."""
    return _NUMPY_TRUTH.sub(r"\1", _SCALAR.sub(r"\1", text))


def _of_pandas_and_numpy(text: str) -> str:
    """Return a text with the forms of versions of pandas, NumPy and Python unified."""
    text = _EXTENSION_ARRAY.sub(lambda match: match["values"], text)
    text = _TEXT_ARRAY.sub(")", _ARRAY_SHAPE.sub("", _ARRAY.sub("(", text)))
    text = _CLASS.sub(
        lambda match: f"type {match[1] or match[2]}", _TEXT_DTYPE.sub("dtype object", text)
    )
    text = _CATEGORIES.sub(r"Categories \1", _INDEX.sub("Index", _TIME_UNIT.sub(r"\1", text)))
    # a date in a log is the time of the run, one that is a value is data
    text = _TIMESTAMP.sub(lambda match: f"Timestamp {re.sub('[ T]', ' : ', match[1])}", text)
    return _DICT_VIEW.sub("(", _FREQUENCY.sub("", text))


def _size_of_sparse(match: re.Match[str]) -> str:
    """Return `sparse 2, 3 with 4`; nothing if its values follow. Lines keep their numbers."""
    lines = "\n" * match[0].count("\n")
    if match["values"]:
        return lines
    size = match["shape"] or f"{match['rows']}, {match['columns']}"
    return f"sparse {size} with {match['stored']}{lines}"


def _numbers_of_tests(text: str) -> str:
    """Convert `Ttest_indResult(statistic=1.5, pvalue=0.1)` to `(1.5, 0.1)`, the form of other SciPy
    versions; only some versions print the degrees of freedom.
    """
    parts: list[str] = []
    position = 0
    for match in islice(_TEST.finditer(text), _MOST_CALLS):
        end = _closing(text, match.end())
        if match.start() < position or end is None:
            continue
        inside = _KEYWORDS.sub("", _DEGREES.sub("", text[match.end() : end]))
        parts += [text[position : match.start()], "(", inside]
        position = end
    return "".join([*parts, text[position:]])


_LONGEST_LINE = 300
_COUNT = re.compile(r"\d+(\.\d+)?")


def _is_counted(line: str) -> bool:
    """Return whether a line has a value with its count, or a gap."""
    value, *count = line.rsplit(None, 1) or [""]
    return bool(count and _COUNT.fullmatch(count[0])) or value.strip(".") == "" != value


def without_series_names(text: str) -> str:
    """Return a text without the names of its `Series`: pandas 2 names the result of
    `value_counts()` `count` or `proportion`, and prints the old name in a line above it.
    """
    if "dtype: " not in text:
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    for at, line in enumerate(lines):
        match = _FOOTER.match(line) if len(line) <= _LONGEST_LINE else None
        if match is None:
            continue
        lines[at] = line[: match.start(2)] + line[match.end(2) :]
        if match["name"] not in ("count", "proportion"):
            continue
        above = at - 1
        while above >= 0 and _is_counted(lines[above]):
            above -= 1
        if (
            above >= 0
            and len(lines[above]) <= _LONGEST_LINE
            and not re.search(r"\S\s{2,}\S|dtype: ", lines[above])
        ):
            lines[above] = ""
    return "\n".join(lines)


def _info_lines(text: str) -> Iterator[str]:
    """Yield the lines of `DataFrame.info()` as before pandas 1.0: without numbers and a heading.

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
    """Yield the lines of scikit-learn's report of a classifier, with the one average that all
    versions show: 0.20 added others, 0.22 the accuracy.
    """
    for line in text.split("\n"):
        match = _AVERAGE.match(line)
        if match is None:
            yield line
        else:
            yield f"average {line[match.end() :]}" if match["kept"] else ""


def shown_arguments(text: str) -> frozenset[Argument]:
    """Return the numeric arguments of the objects that a text prints as their constructors."""
    calls = _calls(text[:LONGEST])
    return frozenset((name, key) for name, inside, _, _ in calls for key, _ in _numeric(inside))


def _without_arguments(text: str, arguments: frozenset[Argument]) -> str:
    """Convert `Ridge(alpha=2.0, copy_X=True)` to `Ridge …`: the printed arguments have changed."""
    parts: list[str] = []
    position = 0
    for name, inside, start, end in _calls(text):
        shown = (f"{key} {value}" for key, value in _numeric(inside) if (name, key) in arguments)
        lines = "\n" * text.count("\n", start, end)  # the text that follows keeps its line number
        parts.append(f"{text[position:start]}{name} … {' '.join(shown)} {lines}")
        position = end
    return "".join([*parts, text[position:]])


def _calls(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield the constructors of a text: name, text in the parentheses, start, end."""
    position = 0
    for match in islice(_CALL.finditer(text), _MOST_CALLS):
        if match.start() < position:
            continue
        end = _closing(text, match.end())
        if end is None or not _KEYWORD.match(text, match.end()):
            position = match.end()
            continue
        yield match[1], text[match.end() : end - 1], match.start(), end
        position = end


def _numeric(inside: str) -> list[tuple[str, str]]:
    for _ in range(_DEEPEST):
        inside, count = _NESTED.subn(" ", inside)
        if not count:
            break
    return [(match[1], match[2]) for match in _NUMERIC.finditer(inside)]


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
    """Return one unit of the last digit of a number: 0.01 for `0.25`, 0 for a whole number.

    `1.` is whole, too: NumPy leaves out the zeros after the point if there is nothing else.
    """
    mantissa, _, exponent = number.lower().partition("e")
    _, _, decimals = mantissa.partition(".")
    power = int(exponent or 0)
    if not decimals:
        return 0.0
    if abs(power) > 300:
        return math.inf
    return float(10.0 ** (power - len(decimals)))
