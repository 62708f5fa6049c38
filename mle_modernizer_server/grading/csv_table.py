"""Read a CSV that hostile code wrote into a table of texts, within fixed bounds.

Everything stays text here: numbers, ids and labels are distinguished once the competition is known.
Nothing of the file is ever evaluated.
"""

from __future__ import annotations

import csv
import io
import lzma
import os
import re
import struct
import threading
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate, chain, islice
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from pydantic_core import from_json

from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.grading.refusal import InvalidSubmission, Stage, shown
from mle_modernizer_server.untrusted.files import NotRegular, open_regular
from mle_modernizer_server.untrusted.packed import PACKED, NotOneMember, unpacked

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_BYTES = 1_000_000_000
"""Default bound on a CSV's size, compressed and uncompressed."""
_LONGEST_LINE = 16_000_000
_CHUNK = 10_000
"""Rows that are taken at once."""
_BLOCK = 1 << 20
"""Characters that are taken at once as long as there are no quotes."""
_NEWLINE = re.compile(r"\r\n|\r|\n")
_MAGIC = {
    b"\x80\x02": coded("csv.pickle"),
    b"\x80\x03": coded("csv.pickle"),
    b"\x80\x04": coded("csv.pickle"),
    b"\x80\x05": coded("csv.pickle"),
    b"PK\x03\x04": coded("csv.zip"),
    b"\x1f\x8b": coded("csv.gzip"),
    b"BZh": coded("csv.bzip2"),
    b"\xfd7zXZ": coded("csv.xz"),
    b"PAR1": coded("csv.parquet"),
    b"ARROW1": coded("csv.feather"),
    b"\x89HDF": coded("csv.hdf5"),
    b"\x93NUMPY": coded("csv.numpy"),
    b"SQLite format 3": coded("csv.sqlite"),
}
_MOST_COLUMNS = 100_000


class _LongFields:
    """Raises Python's limit of a CSV field's length while tables are read.

    The limit belongs to the process: other readers keep Python's own, except meanwhile.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables = 0
        self._before = 0

    @contextmanager
    def allowed(self) -> Iterator[None]:
        with self._lock:
            if not self._tables:
                self._before = csv.field_size_limit(_LONGEST_LINE)
            self._tables += 1
        try:
            yield
        finally:
            with self._lock:
                self._tables -= 1
                if not self._tables:
                    csv.field_size_limit(self._before)


_long_fields = _LongFields()

Rename = Callable[[tuple[str, ...]], Mapping[str, str]]


@dataclass(frozen=True)
class Table:
    """The requested columns of a CSV.

    Attributes:
        header: All column names, in order.
        columns: Cells of the requested columns by name, in row order.
        lines: Line of the file each row ends on, from 1 (the header's).
        more_rows: Reading stopped at the row limit; there are more.
        renamed: Columns that have another name in the file: by that, the one they have here.
        numbers: Columns of finite numbers: read as such, or remembered on first use.
        hashes: By the id columns, likewise: the order of the ids' hashes, and them in order.
    """

    header: tuple[str, ...]
    columns: Mapping[str, list[str]]
    lines: Sequence[int]
    more_rows: bool = False
    renamed: Mapping[str, str] = field(default_factory=dict, compare=False)
    numbers: dict[str, npt.NDArray[np.float64]] = field(
        default_factory=dict, compare=False, repr=False
    )
    hashes: dict[tuple[str, ...], tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def __len__(self) -> int:
        return len(self.lines)


class _Bounded(io.RawIOBase):
    """A stream that refuses to return more than `limit` bytes (a compressed file may explode).

    It refuses NUL bytes, too, and lines that would fill the memory.
    """

    def __init__(self, source: IO[bytes], limit: int) -> None:
        self._source = source
        self._limit = limit
        self._left = limit
        self._line = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer)).cast("B")
        data = self._source.read(min(len(view), 1 << 16))
        self._left -= len(data)
        if self._left < 0:
            raise InvalidSubmission(Stage.FILE, _larger_than(self._limit))
        if b"\x00" in data:
            raise InvalidSubmission(Stage.FILE, coded("csv.nul"))
        end = max(data.rfind(b"\n"), data.rfind(b"\r"))
        self._line = self._line + len(data) if end < 0 else len(data) - end
        if self._line > _LONGEST_LINE:
            raise InvalidSubmission(Stage.TABLE, coded("csv.long-line"))
        view[: len(data)] = data
        return len(data)


def inside(working: Path, relative: str) -> Path:
    """Return the path of a file below a directory.

    Raises:
        InvalidSubmission: The path leads elsewhere, or through a symbolic link to elsewhere.
    """
    parts = PurePosixPath(relative)
    if not relative or parts.is_absolute() or ".." in parts.parts or "\x00" in relative:
        raise InvalidSubmission(Stage.FILE, coded("csv.leads-out"))
    path = working.joinpath(*parts.parts)
    try:
        parent = path.parent.resolve(strict=True)
        home = working.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise InvalidSubmission(Stage.FILE, coded("csv.gone")) from error
    if not parent.is_relative_to(home):
        raise InvalidSubmission(Stage.FILE, coded("csv.leads-out"))
    return path


@contextmanager
def opened(path: Path, most_bytes: int) -> Iterator[BinaryIO]:
    """Open a regular file, never a link, pipe or device."""
    try:
        if path.is_symlink():
            raise InvalidSubmission(Stage.FILE, coded("csv.link"))
        stream = open_regular(path, follow_links=False)
    except FileNotFoundError as error:
        raise InvalidSubmission(Stage.FILE, coded("csv.gone")) from error
    except NotRegular as error:
        raise InvalidSubmission(Stage.FILE, coded("csv.not-regular")) from error
    except OSError as error:
        message = coded("csv.unopened", why=error.strerror or "")
        raise InvalidSubmission(Stage.FILE, message) from error
    with stream as file:
        if os.fstat(file.fileno()).st_size > most_bytes:
            raise InvalidSubmission(Stage.FILE, _larger_than(most_bytes))
        start = file.read(16)
        file.seek(0)
        for magic, kind in _MAGIC.items():
            if start.startswith(magic) and path.suffix.lower() not in PACKED:
                raise InvalidSubmission(Stage.FILE, coded("csv.other-kind", kind=kind))
        yield file


def read_table(
    path: Path,
    wanted: Sequence[str] | None = None,
    *,
    rename: Rename = lambda header: {},
    numbers: Sequence[str] = (),
    most_rows: int | None = None,
    most_bytes: int = MOST_BYTES,
) -> Table:
    """Read the requested columns of a CSV; absent ones are missing in the result.

    Args:
        path: The file: plain, or compressed according to its suffix (gz, bz2, xz, zip).
        wanted: Names of the columns to keep; None keeps all.
        rename: Returns the columns to call otherwise: by their name in the file, their new one.
        numbers: Columns expected to hold numbers, which may be read as such at once.
        most_rows: Stop after so many rows.
        most_bytes: Bound on the size, before and after decompression.

    Raises:
        InvalidSubmission: The file is no CSV that can be read.
    """
    try:
        with opened(path, most_bytes) as file, unpacked(file, path.suffix) as plain:
            buffered = io.BufferedReader(_Bounded(plain, most_bytes))
            text = io.TextIOWrapper(buffered, encoding="utf-8-sig", newline="")
            with text, _long_fields.allowed():
                return _parse(text, wanted, rename, numbers, most_rows)
    except UnicodeDecodeError as error:
        message = coded("csv.not-utf-8", byte=f"{error.object[error.start]:02x}")
        raise InvalidSubmission(Stage.FILE, message) from error
    except NotOneMember as error:
        message = coded("csv.zip-members", count=error.count)
        raise InvalidSubmission(Stage.FILE, message) from error
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, struct.error) as error:
        raise InvalidSubmission(Stage.FILE, coded("csv.damaged")) from error
    except (OSError, RuntimeError, NotImplementedError, ValueError) as error:
        # gzip and bz2 report damage as OSError; zipfile an encrypted member as RuntimeError.
        raise InvalidSubmission(Stage.FILE, coded("csv.unread", why=str(error))) from error


def _parse(
    text: IO[str],
    wanted: Sequence[str] | None,
    rename: Rename,
    numbers: Sequence[str],
    most_rows: int | None,
) -> Table:
    before = 0
    # `strict` so that a quote that is never closed is an error and not one giant cell.
    reader = csv.reader(text, strict=True)
    try:
        header = tuple(next((row for row in reader if row), []))
        renamed = rename(header)
        header = tuple(renamed.get(name, name) for name in header)
        taken = _Taken(header, _kept_columns(header, wanted), numbers, renamed)
        lines = _Lines(reader.line_num)
        count = 0
        left = -1 if most_rows is None else most_rows
        if left == 0:
            return taken.table(range(0), more_rows=any(reader))
        chunk = _CHUNK if most_rows is None else min(_CHUNK, most_rows + 1)
        while block := text.read(_BLOCK) + text.readline():
            plain = _without_quotes(block, len(header))
            rows_here = 0 if plain is None else plain.count("\n") + 1
            if plain is None or 0 <= left <= count + rows_here:
                before = lines.last
                reader = csv.reader(chain(io.StringIO(block, newline=""), text), strict=True)
                break
            taken.take_lines(plain)
            count += rows_here
            lines.regular(count)
        while block and (rows := list(islice(reader, chunk))):
            rows = lines.of(rows, before + reader.line_num)
            if set(map(len, rows)) - {len(header)}:
                raise InvalidSubmission(Stage.TABLE, lines.unequal(rows, len(header), count))
            if 0 <= left < count + len(rows):
                rows = rows[: left - count]
            taken.take_rows(rows)
            count += len(rows)
            if count == left and (next(reader, None) is not None or lines.count > count):
                return taken.table(lines.taken(count), more_rows=True)
    except csv.Error as error:
        message = coded("csv.not-csv", line=before + reader.line_num, why=str(error))
        raise InvalidSubmission(Stage.TABLE, message) from error
    return taken.table(lines.taken(count))


class _Taken:
    """The part of a table read so far: the cells of the selected columns.

    Args:
        header: All columns.
        kept: The selected ones by name, with their positions.
        numbers: Those expected to hold numbers.
        renamed: Those that have another name in the file.
    """

    def __init__(
        self,
        header: tuple[str, ...],
        kept: list[tuple[str, int]],
        numbers: Sequence[str],
        renamed: Mapping[str, str],
    ) -> None:
        self._header = header
        self._renamed = renamed
        self._kept = kept
        self._columns: dict[str, list[str]] = {name: [] for name, _ in kept}
        two = len(header) == len(kept) == 2 and header[1] in numbers and header[0] not in numbers
        self._ids_and_numbers = _IdsAndNumbers(header) if two else None

    def take_lines(self, lines: str) -> None:
        """Take lines without quotes (`_without_quotes`)."""
        if self._ids_and_numbers is not None and self._ids_and_numbers.take(lines):
            return
        self._as_texts()
        width = len(self._header)
        cells = lines.replace("\n", ",").split(",")
        for name, position in self._kept:
            self._columns[name].extend(cells[position::width])

    def take_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Take rows, each as wide as the header."""
        self._as_texts()
        cells = list(zip(*rows, strict=True)) if rows else [()] * len(self._header)
        for name, position in self._kept:
            self._columns[name].extend(cells[position])

    def table(self, lines: Sequence[int], *, more_rows: bool = False) -> Table:
        """Return all that was taken."""
        if self._ids_and_numbers is None:
            return Table(self._header, self._columns, lines, more_rows, self._renamed)
        return Table(
            self._header,
            self._ids_and_numbers,
            lines,
            more_rows,
            self._renamed,
            self._ids_and_numbers.numbers(),
        )

    def _as_texts(self) -> None:
        """Go on without a column of numbers: there is something else in it."""
        if self._ids_and_numbers is not None:
            for name, cells in self._ids_and_numbers.items():
                self._columns[name].extend(cells)
            self._ids_and_numbers = None


def _kept_columns(header: tuple[str, ...], wanted: Sequence[str] | None) -> list[tuple[str, int]]:
    """Return the columns to keep, by name and place."""
    if not any(header):
        raise InvalidSubmission(Stage.TABLE, coded("csv.no-header"))
    if len(header) > _MOST_COLUMNS:
        raise InvalidSubmission(Stage.TABLE, coded("csv.many-columns", most=_MOST_COLUMNS))
    names = list(header if wanted is None else wanted)
    counts = Counter(header)
    twice = [name for name in names if counts[name] > 1]
    if twice:
        message = coded("csv.column-twice", column=shown(twice[0]))
        raise InvalidSubmission(Stage.COLUMNS, message)
    positions = {name: position for position, name in enumerate(header)}
    return [(name, positions[name]) for name in names if name in positions]


def _without_quotes(block: str, width: int) -> str | None:
    """Return the cells of plain whole lines, without the last line's end: `csv` is much slower.

    None if there is a quote, a blank line, or a row of another width.
    """
    import numpy as np  # only if a table is read

    if '"' in block:
        return None
    if "\r" in block:
        if block.count("\r") != block.count("\r\n"):
            return None
        block = block.replace("\r\n", "\n")
    block = block.removesuffix("\n")
    if width == 1:
        return block if all(block.split("\n")) else None
    content = np.frombuffer(block.encode(), dtype=np.uint8)
    ends = content[(content == ord(",")) | (content == ord("\n"))]
    if (len(ends) + 1) % width:
        return None
    rows = np.append(ends, np.uint8(ord("\n"))).reshape(-1, width)
    if not bool((rows[:, :-1] == ord(",")).all() and (rows[:, -1] == ord("\n")).all()):
        return None
    return block


class _IdsAndNumbers(Mapping[str, list[str]]):
    """The two columns of a table of ids and finite numbers, as texts.

    A parser of JSON reads both at once, in a third of the time that texts and numbers of them take,
    and its numbers equal those of Python's `float`. The texts of the numbers are taken out of the
    lines on first use.

    Args:
        names: Of the two columns.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._ids: list[str] = []
        self._lines: list[str] = []
        self._numbers: list[npt.NDArray[np.float64]] = []

    def take(self, lines: str) -> bool:
        """Take plain lines; return False, with nothing taken, if they need another parser."""
        import numpy as np

        if "\\" in lines:  # an escape to JSON
            return False
        try:
            cells = from_json(
                '["' + lines.replace(",", '",').replace("\n", ',"') + "]",
                allow_inf_nan=False,
                cache_strings=False,
            )
            numbers = cells[1::2]
            if set(map(type, numbers)) - {float, int} or len(cells) != 2 * lines.count("\n") + 2:
                return False  # `true`, or brackets
            values = np.array(numbers, dtype=np.float64)
        except (ValueError, OverflowError):
            return False
        if not np.isfinite(values).all():
            return False
        self._ids += cells[::2]
        self._lines.append(lines)
        self._numbers.append(values)
        return True

    def numbers(self) -> dict[str, npt.NDArray[np.float64]]:
        """Return the column of numbers, by its name."""
        import numpy as np

        return {self._names[1]: np.concatenate(self._numbers)} if self._numbers else {}

    def __getitem__(self, name: str) -> list[str]:
        if name == self._names[0]:
            return self._ids
        if name != self._names[1]:
            raise KeyError(name)
        cells = (lines.replace("\n", ",").split(",")[1::2] for lines in self._lines)
        return list(chain.from_iterable(cells))

    def __contains__(self, name: object) -> bool:
        return name in self._names  # without taking texts out of the lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Lines:
    """The line each row ends on: a range as long as every row is one line."""

    def __init__(self, header: int) -> None:
        self._first = header + 1
        self.last = header
        self._irregular: list[int] | None = None
        self.count = 0

    def regular(self, count: int) -> None:
        """So many rows are taken, and every one of them is one line."""
        self.count = count
        self.last = self._first + count - 1

    def of(self, rows: list[list[str]], line: int) -> list[list[str]]:
        """Take the next rows, which end on a line; return those that are not blank."""
        regular = line - self.last == len(rows) and all(rows)
        if not regular and self._irregular is None:
            self._irregular = list(range(self._first, self._first + self.count))
        if self._irregular is not None:
            breaks = (1 + sum(len(_NEWLINE.findall(cell)) for cell in row) for row in rows)
            ends = accumulate(breaks, initial=self.last)
            next(ends)
            self._irregular += [end for end, row in zip(ends, rows, strict=True) if row]
            rows = [row for row in rows if row]
        self.last = line
        self.count += len(rows)
        return rows

    def taken(self, count: int) -> Sequence[int]:
        """Return the lines of the first rows."""
        if self._irregular is not None:
            return self._irregular[:count]
        return range(self._first, self._first + count)

    def unequal(self, rows: list[list[str]], width: int, before: int) -> Messages:
        """Return a message on the first row that has another number of fields than the header."""
        number = next(place for place, row in enumerate(rows) if len(row) != width)
        line = self.taken(before + number + 1)[-1]
        return coded("csv.unequal", line=line, fields=len(rows[number]), header=width)


def _larger_than(most: int) -> Messages:
    if most >= 1e8:
        return coded("csv.larger", gigabytes=most / 1e9)
    return coded("csv.larger-in-bytes", most=most)
