"""Makes a sample of a competition's public data."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.verification import Sample, SampledTable
from mle_modernizer_server.execution.sampling.columns import is_key
from mle_modernizer_server.execution.sampling.folders import (
    File,
    Linker,
    files_below,
    files_to_keep,
    open_folders,
    write_table,
)
from mle_modernizer_server.execution.sampling.plan import Plan, Taken
from mle_modernizer_server.execution.sampling.roles import Layout
from mle_modernizer_server.execution.sampling.survey import Survey, survey
from mle_modernizer_server.execution.sampling.tables import NoTable, read_table
from mle_modernizer_server.execution.sampling.watch import Stopped, TookTooLong, Watch
from mle_modernizer_server.untrusted.archives import UNREADABLE

_LONGEST_NAME = 500

__all__ = ["CannotSample", "Layout", "Stopped", "Watch", "make_sample", "sample_files"]


class CannotSample(Exception):
    """No sample can be made of these data; `message` has the reason."""

    def __init__(self, message: Messages) -> None:
        super().__init__(message)
        self.message = message


def make_sample(public: Path, target: Path, layout: Layout, rows: int, watch: Watch) -> Sample:
    """Make a copy of a competition's public directory with few rows of large tables.

    Records are cut out of the files byte for byte and stay in their order; the same data always
    result in the same sample. Rows that belong together stay together, judged by columns of the
    same name; other files are included if the sampled rows name them.

    Args:
        public: The competition's public directory; it is not changed.
        target: The directory to make.
        layout: The competition's description of its files.
        rows: About how many rows a table keeps.
        watch: Ends it.

    Raises:
        CannotSample: A file cannot be read or written, or takes too long.
        Stopped: It was cancelled.
    """
    with refusals(CannotSample, "no-sample.too-long", "no-sample.unreadable"):
        return _make(files_below(public, watch), target, layout, rows, watch)


def sample_files(
    files: list[File], target: Path, layout: Layout, rows: int, watch: Watch
) -> Sample:
    """Make a copy of some files, as `make_sample` does of a directory.

    Args:
        files: The files; their names are the paths below `target`.
        target: The directory to make.
        layout: The competition's description of its files.
        rows: About how many rows a table keeps.
        watch: Ends it.

    Raises:
        CannotSample: A file cannot be read or written, or takes too long.
        Stopped: It was cancelled.
    """
    with refusals(CannotSample, "no-sample.too-long", "no-sample.unreadable"):
        return _make(files, target, layout, rows, watch)


@contextmanager
def refusals(
    refusal: Callable[[Messages], Exception], too_long: str, unreadable: str
) -> Iterator[None]:
    """Raise a refusal with its reason for the errors of reading and writing.

    Args:
        refusal: Makes the exception.
        too_long: Code of the message if it takes too long.
        unreadable: Code of the message if a file cannot be read or written.
    """
    try:
        yield
    except TookTooLong as error:
        raise refusal(coded(too_long)) from error
    except OSError as error:
        raise refusal(coded(unreadable, reason=error.strerror or str(error))) from error
    except (NoTable, *UNREADABLE) as error:
        raise refusal(coded("no-sample.packed", reason=str(error))) from error


def _make(files: list[File], target: Path, layout: Layout, rows: int, watch: Watch) -> Sample:
    surveys = survey_all(files, layout, watch)
    plan = Plan(surveys, layout, rows, watch)
    taken = plan.make()
    target.mkdir(parents=True)
    linker = Linker(target)
    for file in files:
        watch.check()
        one = taken.get(file.name)
        if one is not None and one.whole:
            linker.add(file)
        elif one is not None:
            table = one.found.table
            records = [*table.header(), *one.records.values()]
            write_table(table, records, target / file.name)
    others = [file for file in files if file.name not in taken]
    kept = files_to_keep(others, _identifiers(taken.values()), rows)
    for number, file in enumerate(kept):
        if number % 1_000 == 0:
            watch.check()
        linker.add(file)
    open_folders(target)
    notes = plan.notes
    if linker.left_out:
        named = ", ".join(linker.left_out[:3])
        notes += coded("sample.too-large", count=len(linker.left_out), named=named)
    return Sample(
        tables=tuple(
            SampledTable(name=name, rows=one.rows, of=one.found.rows)
            for name, one in sorted(taken.items())
            if not one.whole
        ),
        files_left_out=len(others) - len(kept) + len(linker.left_out),
        notes=notes,
    )


def survey_all(files: list[File], layout: Layout, watch: Watch) -> list[Survey]:
    """Survey every table; a file that cannot be read as one is an ordinary file."""
    found = []
    for file in files:
        table = read_table(file.path, file.name)
        if table is None or len(set(table.columns)) < len(table.columns):
            continue
        try:
            found.append(survey(table, layout.targets, watch))
        except (NoTable, *UNREADABLE):
            continue
    return found


def _identifiers(taken: Collection[Taken]) -> set[bytes]:
    """Return possible file names of the sampled rows: ids, names, paths, with or without suffix."""
    ids: set[bytes] = set()
    for one in taken:
        names = [name for name in one.found.table.columns if is_key(one.found, name)]
        for value in set().union(*(one.keys([name]) for name in names)):
            if len(value) < _LONGEST_NAME:
                path = PurePosixPath(os.fsdecode(value))
                ids |= {value, os.fsencode(path.name), os.fsencode(path.stem)}
    ids.discard(b"")
    return ids
