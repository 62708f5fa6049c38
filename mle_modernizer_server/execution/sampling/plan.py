"""The rows of all tables of a competition, chosen so that they still belong together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.execution.sampling.choose import choose, round_robin
from mle_modernizer_server.execution.sampling.columns import FEW, is_category, is_key, is_unique
from mle_modernizer_server.execution.sampling.roles import Layout, beginnings, roles
from mle_modernizer_server.execution.sampling.survey import Rows, Survey, pick, scan
from mle_modernizer_server.execution.sampling.tables import Fields, Table
from mle_modernizer_server.execution.sampling.watch import Watch

_JOIN = b"\x1f"
_ROWS_OF_A_KEY = 1_000
_WORTH = 0.2
"""Share of the keys that must be found for several columns to be a key together."""
_MOST_TRIES = 3
_FEWEST = 10

Key = Callable[[bytes], Collection[bytes]]
"""The keys of a record."""


@dataclass(frozen=True)
class Taken:
    """The rows of a table that go into the sample.

    Attributes:
        found: The table.
        records: The rows by their places; empty if `whole`.
        whole: Whether the table is kept as it is.
    """

    found: Survey
    records: Rows
    whole: bool = False

    @property
    def rows(self) -> int:
        """Return the number of rows in the sample."""
        return self.found.rows if self.whole else len(self.records)

    def fields(self) -> list[Fields]:
        """Return the fields of the rows taken."""
        if self.whole:
            return list(self.found.fields.values())
        return [self.found.table.fields(record) for record in self.records.values()]

    def keys(self, names: Sequence[str]) -> set[bytes]:
        """Return the combined values of some columns in the rows taken."""
        places = [self.found.column(name) for name in names]
        return {_JOIN.join(fields[at] for at in places) for fields in self.fields()}


class Plan:
    """Chooses the rows, table after table.

    Args:
        surveys: All tables.
        layout: The competition's description of them.
        rows: About how many rows a table keeps.
        watch: Ends it.
    """

    def __init__(self, surveys: Sequence[Survey], layout: Layout, rows: int, watch: Watch) -> None:
        self._surveys = surveys
        self._layout = layout
        self._rows = rows
        self._watch = watch
        self._roles = roles(surveys, layout)
        self.taken: dict[str, Taken] = {}
        self.notes: Messages = ()

    def make(self) -> dict[str, Taken]:
        """Return the rows taken of every table, by its name.

        Raises:
            NoTable, OSError, EOFError, RuntimeError, BadZipFile, zlib.error, LZMAError: A table
                cannot be read.
            Stopped, TookTooLong: As `Watch.check`.
        """
        train, test, submission = self._roles.train, self._roles.test, self._roles.submission
        features = self._roles.features
        if train is not None:
            self._take(train, self._choose(train))
        if features is not None:
            self._take(features, self._follow(features))
        if self._layout.whole_test:
            for found in filter(None, (test, submission)):
                self._take(found, None)
        elif test is not None:
            self._take_test(test, submission)
        if submission is not None and submission.table.name not in self.taken:
            self._take(submission, self._choose(submission))
        if train is not None and test is not None:
            self._complete(features or train, test)
            if features is not None:
                self._take(train, self._follow(train, [self.taken[features.table.name]]))
        rest = [one for one in self._surveys if one.table.name not in self.taken]
        while rest:
            following = max(rest, key=self._nearness)
            rest.remove(following)
            self._take(following, self._follow(following))
        return self.taken

    def _take(self, found: Survey, records: Rows | None) -> Taken:
        """Record the rows taken of a table; None is all of it."""
        whole = records is None or len(records) >= found.rows
        taken = Taken(found, {} if whole else dict(sorted((records or {}).items())), whole)
        self.taken[found.table.name] = taken
        return taken

    def _choose(self, found: Survey, rows: int | None = None) -> Rows | None:
        rows = rows or self._rows
        if found.rows <= rows:
            return None
        return {at: found.kept[at] for at in choose(found, rows)}

    # The test data and the sample submission: the same ids, in both.

    def _take_test(self, test: Survey, submission: Survey | None) -> None:
        if submission is None:
            self._take(test, self._chosen_test(test, self._rows))
            return
        rows = self._rows
        if submission.rows > max(rows, test.rows + test.rows // 2):
            # Several rows of the submission for one of the test data.
            rows = max(_FEWEST, rows * test.rows // submission.rows)
        if submission.rows <= self._rows < test.rows:
            self._take(submission, None)
            if self._test_of_submission(test, submission):
                return
        taken = self._take(test, self._chosen_test(test, rows))
        if taken.whole and submission.rows <= self._rows:
            self._take(submission, None)
        elif not self._submission_of_test(taken, submission):
            self.notes += coded(
                "sample.ids", test=test.table.name, submission=submission.table.name
            )

    def _chosen_test(self, test: Survey, rows: int) -> Rows | None:
        """Return rows of the test data, first those with categories of the train data's sample."""
        if test.rows <= rows:
            return None
        train = self._roles.features or self._roles.train
        preferred: set[int] | None = None
        if train is not None:
            taken = self.taken[train.table.name]
            for name in self._categories(train, test):
                known, at = taken.keys([name]), test.column(name)
                rows_known = {row for row, fields in test.fields.items() if fields[at] in known}
                both = rows_known if preferred is None else preferred & rows_known
                preferred = both if len(both) >= _FEWEST else preferred
        return {at: test.kept[at] for at in choose(test, rows, preferred=preferred)}

    def _test_of_submission(self, test: Survey, submission: Survey) -> bool:
        """Take the rows of the test data that a small submission names."""
        for name in self._id_names(submission):
            at = submission.column(name)
            ids = [fields[at] for fields in submission.fields.values()]
            wanted = {part for value in ids for part in beginnings(value)}
            for column in self._id_names(test):
                rows, found = scan(
                    test.table, _one(test, column), wanted, each=_ROWS_OF_A_KEY, watch=self._watch
                )
                if len(found) > 1:
                    chosen = round_robin(found, max(2 * self._rows, len(found)))
                    self._take(test, {at: rows[at] for at in chosen})
                    return True
        return False

    def _submission_of_test(self, test: Taken, submission: Survey) -> bool:
        """Take the rows of the submission that correspond to the chosen test rows."""
        for name in self._id_names(submission):
            at = submission.column(name)
            for column in self._id_names(test.found):
                wanted = test.keys([column])
                rows, found = scan(
                    submission.table,
                    partial(_beginnings, submission.table, at),
                    wanted,
                    each=10 * _ROWS_OF_A_KEY,
                    watch=self._watch,
                )
                if len(found) < 0.5 * len(wanted) and not (test.whole and found):
                    continue
                self._take(submission, rows)
                self._keep_only(test, column, set(found))
                return True
        if submission.rows == test.found.rows and not test.whole:
            self._take(submission, pick(submission.table, test.records, self._watch))
            return True
        return False

    def _keep_only(self, test: Taken, column: str, ids: set[bytes]) -> None:
        """Drop test rows without a requested id, if most have one."""
        at = test.found.column(column)
        if test.whole:
            return
        records = {
            row: record
            for row, record in test.records.items()
            if test.found.table.value(record, at) in ids
        }
        if len(records) < len(test.records):
            self._take(test.found, records)

    def _id_names(self, found: Survey) -> list[str]:
        """Return the columns that may contain a table's ids, the competition's own first."""
        names = [name for name in self._layout.ids if name in found.table.columns]
        others = [
            name
            for name in found.table.columns
            if name not in names and name not in self._layout.targets and is_key(found, name)
        ]
        others.sort(key=lambda name: not is_unique(found, name))
        return [*names, *others][:_MOST_TRIES]

    # The train data: every category that the test data's sample uses.

    def _categories(self, train: Survey, test: Survey) -> list[str]:
        ids = set(self._layout.ids)
        return [
            name
            for name in test.table.columns
            if name in train.table.columns
            and name not in ids
            and (is_category(train, name) or is_category(test, name))
        ]

    def _complete(self, train: Survey, test: Survey) -> None:
        taken = self.taken[train.table.name]
        if taken.whole:
            return
        records = dict(taken.records)
        most = len(records) + 2 * self._rows
        for name in self._categories(train, test):
            at = train.column(name)
            known = {train.table.value(record, at) for record in records.values()}
            missing = self.taken[test.table.name].keys([name]) - known
            for row, fields in train.fields.items():
                if fields[at] in missing and len(records) < most:
                    records[row] = train.kept[row]
                    missing.discard(fields[at])
            if missing and not train.whole:
                rows, _ = scan(train.table, _one(train, name), missing, each=1, watch=self._watch)
                records |= dict(list(rows.items())[: max(0, most - len(records))])
        self._take(train, records)

    # All others: the rows that those taken so far refer to.

    def _nearness(self, found: Survey) -> tuple[bool, int]:
        keys = self._keys(found, self.taken.values())
        return bool(keys), len(keys[0]) if keys else 0

    def _keys(self, found: Survey, sources: Collection[Taken]) -> list[tuple[str, ...]]:
        """Return the columns by which rows of a table belong to rows taken, the best first."""
        tries: list[tuple[str, ...]] = []
        for source in sources:
            shared = [
                name
                for name in found.table.columns
                if name in source.found.table.columns
                and name not in self._layout.targets
                and (is_key(found, name) or is_key(source.found, name))
            ]
            many = [name for name in shared if len(found.values(name)) > FEW]
            if not many:
                continue
            many.sort(
                key=lambda name: (
                    name not in self._layout.ids,
                    not is_unique(found, name),
                    -len(found.values(name)),
                )
            )
            tries += [tuple(shared), *((name,) for name in many)]
        return list(dict.fromkeys(tries))

    def _follow(self, found: Survey, sources: Sequence[Taken] = ()) -> Rows | None:
        """Return the rows that belong to rows taken: of all tables so far, or of some."""
        if found.rows <= self._rows:
            return None
        known = list(sources) or list(self.taken.values())
        cut = [taken for taken in known if not taken.whole]
        for names in self._keys(found, cut or known)[:_MOST_TRIES]:
            telling = [one for one in known if set(names) <= set(one.found.table.columns)]
            wanted = {key for one in telling for key in one.keys(names)}
            rows, keys = scan(
                found.table, _all(found, names), wanted, each=_ROWS_OF_A_KEY, watch=self._watch
            )
            if not keys or (len(names) > 1 and len(keys) < _WORTH * len(wanted)):
                continue
            chosen = round_robin(keys, max(2 * self._rows, len(keys)))
            return {at: rows[at] for at in chosen}
        twin = next((one for one in cut if one.found.rows == found.rows), None)
        if twin is not None and not set(twin.found.table.columns) & set(found.table.columns):
            return pick(found.table, twin.records, self._watch)
        return self._choose(found)


def _one(found: Survey, name: str) -> Key:
    at, table = found.column(name), found.table
    return lambda record: (table.value(record, at),)


def _beginnings(table: Table, at: int, record: bytes) -> Collection[bytes]:
    return tuple(beginnings(table.value(record, at)))


def _all(found: Survey, names: Sequence[str]) -> Key:
    places, table = [found.column(name) for name in names], found.table

    def joined(record: bytes) -> Collection[bytes]:
        fields = table.fields(record)
        return (_JOIN.join(fields[at] for at in places),)

    return _one(found, names[0]) if len(names) == 1 else joined
