"""The tables of a study, from its results; pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from statistics import fmean, median

from mle_modernizer_server.batch.result import Result, RunScore, Status
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.grade import OutputStatus
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.statistics import FixRow, SessionFacts, State
from mle_modernizer_server.workflow.service import statistics

Cell = str | int | float | None
_Z = 1.959964
"""For intervals of 95 %."""
_MOST_GROUPS = 50
_REPRODUCIBLE, _NOT, _FAILED = "reproducible", "non-reproducible", "failed"


class Table(Value):
    """A table for display and CSV."""

    name: str
    """Of its file."""
    title: str
    note: str = ""
    """Explanation of its numbers."""
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def tables(results: Sequence[Result]) -> list[Table]:
    """Return all tables of a study; those there is nothing for are left out."""
    targets = have_targets(results)
    made = [
        *([_reproducible_arms(results)] if targets else []),
        _error_free_arms(results),
        *_outcomes(results),
        _fixes(results),
        _fix_counts(results, targets),
        _cost(results),
        _errors(results),
        _similarity(results),
        _runtime(results),
        _groups(results, "library", "By library", lambda result: sorted(result.packages)),
        _groups(results, "year", "By year", lambda result: _years(result)),
        _groups(
            results,
            "competition",
            "By competition",
            lambda result: [result.competition] if result.competition else [],
        ),
        _left_out(results),
    ]
    return [table for table in made if table.rows]


def have_targets(results: Iterable[Result]) -> bool:
    """Return whether any notebook has a score to reach."""
    return any(result.target is not None for result in results)


def state_name(state: State, targets: bool) -> str:
    """Return the name of an outcome; without targets it ignores scores."""
    return state.value if targets else _WITHOUT_TARGET.get(state, state.value)


_WITHOUT_TARGET = {
    State.ERROR_NON_REPRODUCIBLE: "with errors",
    State.ERROR_FREE_NON_REPRODUCIBLE: "error-free",
}


def interval(successes: int, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share.

    Source: Wilson, E. B. (1927), J. Am. Stat. Assoc. 22, 209–212.
    """
    if not count:
        return 0.0, 1.0
    share = successes / count
    scale = 1 + _Z**2 / count
    middle = (share + _Z**2 / (2 * count)) / scale
    half = _Z * sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)


def arms(results: Iterable[Result]) -> list[str]:
    """Return the names of the arms, in the order they are met."""
    return list(dict.fromkeys(result.arm for result in results))


def _facts(results: Iterable[Result]) -> list[SessionFacts]:
    return [result.facts for result in results if result.facts is not None]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else ""


# Arms


def _reproducible_arms(results: Sequence[Result]) -> Table:
    without = {_place(result) for result in results if result.facts and result.target is None}
    return _arms(
        [result for result in results if _place(result) not in without],
        arms(results),
        "reproducible",
        lambda state: state.reproducible,
    ).model_copy(update={"name": "arms", "title": "Reproducible notebooks"})


def _error_free_arms(results: Sequence[Result]) -> Table:
    made = _arms(results, arms(results), "error-free", lambda state: state.error_free)
    title = "Notebooks that run without errors"
    return made.model_copy(update={"name": "arms-error-free", "title": title})


def _arms(
    results: Sequence[Result], names: Sequence[str], word: str, good: Callable[[State], bool]
) -> Table:
    """Return the arms with their shares of good results, each compared with the first."""
    reached = {
        name: {_place(result): good(result.last_state) for result in results if result.arm == name}
        for name in names
    }
    rows = []
    for name in names:
        number, count = sum(reached[name].values()), len(reached[name])
        low, high = interval(number, count)
        rows.append(
            (
                name,
                count,
                number,
                _share(number, count),
                f"{low:.1%} – {high:.1%}",
                *_against(reached[names[0]], reached[name], first=name == names[0]),
            )
        )
    first = names[0] if names else ""
    note = "Wilson's 95 % intervals."
    if len(names) > 1:
        note += (
            f" Gained: notebooks that are {word} in this arm but not in the arm {first}; lost: the "
            "reverse. p is that of McNemar's exact test."
        )
    columns: tuple[str, ...] = ("arm", "notebooks", word, "share", "interval")
    if len(names) > 1:
        columns = (*columns, f"gained over {first}", f"lost against {first}", "p")
    return Table(
        name="arms",
        title="",
        note=note,
        columns=columns,
        rows=tuple(row[: len(columns)] for row in rows),
    )


def _place(result: Result) -> tuple[str, int, int]:
    return result.line.name, result.line.number, result.repetition


_Reached = dict[tuple[str, int, int], bool]


def _against(base: _Reached, other: _Reached, *, first: bool) -> tuple[Cell, Cell, Cell]:
    if first:
        return None, None, None
    both = base.keys() & other.keys()
    gained = sum(other[key] and not base[key] for key in both)
    lost = sum(base[key] and not other[key] for key in both)
    return gained, lost, f"{_sign_test(gained, lost):.2g}"


def _sign_test(gained: int, lost: int) -> float:
    """Return the two-sided probability of so uneven a number of changes by chance."""
    from scipy.special import bdtr  # `scipy.stats` takes a second to import

    return min(1.0, 2 * float(bdtr(min(gained, lost), gained + lost, 0.5)))


# Outcomes: the paper's Tables 1 to 3


def _outcomes(results: Sequence[Result]) -> Iterator[Table]:
    for name in arms(results):
        mine = [result for result in results if result.arm == name]
        worked_on = any(result.facts and result.facts.fixes for result in mine)
        if worked_on:
            title = f"Outcomes of the first run, arm {name}"
            yield _outcome_table(f"outcomes-{_plain(name)}-before", title, mine, _first_run)
        title = f"Outcomes of the best run, arm {name}"
        yield _outcome_table(f"outcomes-{_plain(name)}", title, mine, _best_run)


def _plain(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in name)


def _first_run(result: Result) -> tuple[State, RunScore | None]:
    facts = result.facts
    number = (
        next((run.number for run in facts.runs if run.state is result.first_state), None)
        if (facts)
        else None
    )
    return result.first_state, _score(result, number)


def _best_run(result: Result) -> tuple[State, RunScore | None]:
    return result.last_state, _score(result, result.best)


def _score(result: Result, number: int | None) -> RunScore | None:
    return next((score for score in result.scores if score.number == number), None)


_WITH_CSV, _OTHER = "with a valid CSV", "score not from a CSV"
_INSIDE, _UNPROVEN = "inside the threshold", "inside the threshold, not proven"
_OUTCOMES = (
    ("error-free", _WITH_CSV, _INSIDE, _REPRODUCIBLE),
    ("error-free", _WITH_CSV, _UNPROVEN, _NOT),
    ("error-free", _WITH_CSV, "outside the threshold", _NOT),
    ("error-free", _WITH_CSV, "no target known", _NOT),
    ("error-free", "with an invalid CSV", "", _NOT),
    ("error-free", "without a CSV", "", _NOT),
    ("error-free", _OTHER, _INSIDE, _REPRODUCIBLE),
    ("error-free", _OTHER, _UNPROVEN, _NOT),
    ("error", _WITH_CSV, _INSIDE, _REPRODUCIBLE),
    ("error", _WITH_CSV, _UNPROVEN, _NOT),
    ("error", _WITH_CSV, "outside the threshold", _NOT),
    ("error", _WITH_CSV, "no target known", _NOT),
    ("error", "with an invalid CSV", "", _NOT),
    ("error", "without a CSV", "", _NOT),
    ("error", _OTHER, _INSIDE, _REPRODUCIBLE),
    ("error", _OTHER, _UNPROVEN, _NOT),
    ("timeout", "", "", _FAILED),
    ("failed otherwise", "", "", _FAILED),
    ("not run", "", "", _FAILED),
)
_OUTPUTS = {
    OutputStatus.WITH_CSV: _WITH_CSV,
    OutputStatus.INVALID_CSV: "with an invalid CSV",
    OutputStatus.WITHOUT_CSV: "without a CSV",
}
_ALONE = {State.TIMEOUT: "timeout", State.FAILED: "failed otherwise", State.NOT_RUN: "not run"}


def _outcome(state: State, score: RunScore | None) -> tuple[str, str, str]:
    if state in _ALONE:
        return _ALONE[state], "", ""
    error_free = state in (State.ERROR_FREE_REPRODUCIBLE, State.ERROR_FREE_NON_REPRODUCIBLE)
    status = "error-free" if error_free else "error"
    output = OutputStatus.WITHOUT_CSV if score is None else score.output
    inside = _INSIDE if state.reproducible else ""
    if not inside and score is not None and score.within:
        inside = _UNPROVEN
    if output is not OutputStatus.WITH_CSV:
        return (status, _OTHER, inside) if inside else (status, _OUTPUTS[output], "")
    if inside:
        return status, _WITH_CSV, inside
    known = score is not None and score.deviation is not None
    return status, _WITH_CSV, "outside the threshold" if known else "no target known"


def _outcome_table(
    name: str,
    title: str,
    results: Sequence[Result],
    run: Callable[[Result], tuple[State, RunScore | None]],
) -> Table:
    found = Counter(_outcome(*run(result)) for result in results)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (status, output, deviation, found[key], _share(found[key], len(results)), verdict)
        for status, output, deviation, verdict in _OUTCOMES
        if found[key := (status, output, deviation)]
    )
    columns: tuple[str, ...] = (
        "errors",
        "output",
        "score",
        "notebooks",
        "share",
        "reproducibility",
    )
    if not have_targets(results):  # then no score could be reproduced
        rows, columns = tuple(row[:-1] for row in rows), columns[:-1]
    return Table(name=name, title=title, columns=columns, rows=rows)


# Fixes and money: the paper's Tables 4 and 5, Figures 7 and 8


def _fixes(results: Sequence[Result]) -> Table:
    targets = have_targets(results)
    states = [
        state
        for state in State
        if state not in (State.FAILED, State.NOT_RUN) and (targets or not state.reproducible)
    ]
    rows: list[tuple[Cell, ...]] = []
    for name in arms(results):
        found = statistics(_facts(result for result in results if result.arm == name))
        rows += [
            (name, row.name, row.applied, *(row.led_to.get(state, 0) for state in states))
            for row in found.by_type
        ]
    return Table(
        name="fixes",
        title="Fixes by type, and the outcome of the run that followed",
        note="Only applied fixes. The outcomes may add up to less, because not every fix was "
        "followed by a run.",
        columns=("arm", "fix type", "fixes", *(state_name(state, targets) for state in states)),
        rows=tuple(rows),
    )


def _fix_counts(results: Sequence[Result], targets: bool) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name in arms(results):
        facts = _facts(result for result in results if result.arm == name)
        made = Counter(one.fixes_made for one in facts)
        good = Counter(one.fixes_made for one in facts if _good(one.best, targets))
        if any(made):
            rows += [(name, fixes, count, good[fixes]) for fixes, count in sorted(made.items())]
    columns = ("arm", "fixes", "notebooks", f"of these {_word(targets)}")
    title = "Fixes per notebook"
    return Table(name="fix-counts", title=title, columns=columns, rows=tuple(rows))


def _good(state: State, targets: bool) -> bool:
    return state.reproducible if targets else state.error_free


def _word(targets: bool) -> str:
    return "reproducible" if targets else "error-free"


def _cost(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name in arms(results):
        mine = [result for result in results if result.arm == name]
        found = statistics(_facts(mine))
        if not found.usage.calls:
            continue
        rows.append((name, "notebook", *_mean_usage(found.usage, len(mine))))
        rows += [
            (name, f"fix, {row.name}", *_mean_usage(row.usage, _asked(row)))
            for row in found.by_type
            if row.asked
        ]
        rows.append((name, "total", *_mean_usage(found.usage, 1)))
    return Table(
        name="cost",
        title="Cost and tokens",
        note="Means, and totals in the last row. Costs include only calls whose price is known.",
        columns=("arm", "per", "USD", "input, not cached", "input, cached", "output", "calls"),
        rows=tuple(rows),
    )


def _asked(row: FixRow) -> int:
    return max(row.asked, 1)


def _mean_usage(usage: Usage, count: int) -> tuple[Cell, ...]:
    cost = None if usage.cost_usd is None else round(usage.cost_usd / count, 4)
    tokens = (usage.fresh_input_tokens, usage.cached_input_tokens, usage.output_tokens)
    return (cost, *(round(number / count, 1) for number in tokens), round(usage.calls / count, 2))


def _similarity(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name in arms(results):
        found = statistics(_facts(result for result in results if result.arm == name))
        if len(found.similarity_to_original) > 1:
            rows += [
                (
                    name,
                    item.fixes,
                    item.similarity.count,
                    *(
                        round(number, 3)
                        for number in (
                            item.similarity.lower,
                            item.similarity.median,
                            item.similarity.upper,
                        )
                    ),
                )
                for item in found.similarity_to_original
            ]
    return Table(
        name="similarity",
        title="Similarity to the original code, by number of fixes",
        note="1 − edit distance / length of the code cells; 1 means unchanged.",
        columns=("arm", "fixes", "notebooks", "first quartile", "median", "third quartile"),
        rows=tuple(rows),
    )


def _errors(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name in arms(results):
        first: Counter[str] = Counter()
        last: Counter[str] = Counter()
        for facts in _facts(result for result in results if result.arm == name):
            runs = [run for run in facts.runs if run.state is not State.NOT_RUN]
            if runs:
                first.update(set(runs[0].errors))
                last.update(set(runs[-1].errors))
        order = sorted(first.keys() | last.keys(), key=lambda error: (-first[error], error))
        rows += [(name, error, first[error], last[error]) for error in order[:_MOST_GROUPS]]
    return Table(
        name="errors",
        title="Errors by type",
        note="Number of notebooks with a root error of this type in their first and last run. "
        "Errors that only follow from another error are not counted.",
        columns=("arm", "error", "first run", "last run"),
        rows=tuple(rows),
    )


def _runtime(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name in arms(results):
        mine = [result for result in results if result.arm == name and result.facts]
        runs = [
            run.seconds for facts in _facts(mine) for run in facts.runs if run.seconds is not None
        ]
        if runs:
            whole = [result.seconds for result in mine]
            rows += [(name, "run", len(runs), *_times(runs))]
            rows += [(name, "notebook, with all its runs", len(whole), *_times(whole))]
    columns = ("arm", "per", "count", "mean (s)", "median (s)", "longest (s)", "total (h)")
    return Table(name="runtime", title="Runtime", columns=columns, rows=tuple(rows))


def _times(seconds: Sequence[float]) -> tuple[Cell, ...]:
    numbers = (fmean(seconds), median(seconds), max(seconds))
    return (*(round(number, 1) for number in numbers), round(sum(seconds) / 3600, 2))


# Groups


def _years(result: Result) -> list[str]:
    year = result.first_year or result.last_year
    return [] if year is None else [str(year)]


def _groups(
    results: Sequence[Result], name: str, title: str, of: Callable[[Result], Iterable[str]]
) -> Table:
    targets = have_targets(results)
    found: defaultdict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        for group in of(result):
            found[result.arm, group].append(result)
    place = {arm: number for number, arm in enumerate(arms(results))}
    ordered = sorted(
        found.items(),
        key=lambda item: (place[item[0][0]], 0 if name == "year" else -len(item[1]), item[0][1]),
    )
    shown: Counter[str] = Counter()
    rows = []
    for (arm, group), members in ordered:
        shown[arm] += 1
        if shown[arm] > _MOST_GROUPS:
            continue
        before = sum(_good(result.first_state, targets) for result in members)
        after = sum(_good(result.last_state, targets) for result in members)
        low, high = interval(after, len(members))
        share = _share(after, len(members))
        rows.append((arm, group, len(members), before, after, share, f"{low:.1%} – {high:.1%}"))
    columns = (
        *("arm", name, "notebooks", f"{_word(targets)} in the first run", "in the best run"),
        *("share", "interval"),
    )
    return Table(name=f"by-{name}", title=title, columns=columns, rows=tuple(rows))


def _left_out(results: Sequence[Result]) -> Table:
    rows = tuple(
        (result.line.name, result.arm, result.status.value, result.message)
        for result in results
        if result.status is not Status.DONE
    )
    columns = ("notebook", "arm", "status", "reason")
    title = "Notebooks without a result"
    return Table(name="left-out", title=title, columns=columns, rows=rows[:1000])
