"""Statistics over sessions: pure, from their facts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, quantiles

from mle_modernizer_server.domain.diagnosis import FixScope, FixType
from mle_modernizer_server.domain.model_calls import Usage
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.statistics import (
    ErrorRow,
    FixCount,
    FixFacts,
    FixRow,
    OutcomeCount,
    RunFacts,
    SessionFacts,
    SimilarityCount,
    SpentFacts,
    Spread,
    State,
    Statistics,
    Transition,
)

_MOST_ERROR_TYPES = 200


def statistics(sessions: Sequence[SessionFacts]) -> Statistics:
    """Return the outcomes and the costs of these sessions' fixes."""
    fixes = [fix for session in sessions for fix in session.fixes]
    spent = [item for session in sessions for item in session.spent]
    runs = [run for session in sessions for run in session.runs]
    reproducible = [session.fixes_made for session in sessions if session.best.reproducible]
    made = [session.fixes_made for session in sessions]
    return Statistics(
        sessions=len(sessions),
        runs=len(runs),
        outcomes=_outcomes(sessions),
        fixes_made=_fix_counts(sessions),
        mean_fixes=fmean(made) if made else None,
        mean_fixes_reproducible=fmean(reproducible) if reproducible else None,
        by_type=_rows(FixType, lambda fix: fix.fix_type, lambda it: it.fix_type, fixes, spent),
        by_scope=_rows(FixScope, lambda fix: fix.scope, lambda it: it.scope, fixes, spent),
        by_fixer=_rows(FixerName, lambda fix: fix.fixer, lambda _: FixerName.LLM, fixes, spent),
        transitions=_transitions(fixes),
        errors=_errors(sessions),
        seconds=spread([run.seconds for run in runs if run.seconds is not None]),
        similarity_to_original=_similarities(sessions),
        similarity_to_previous=spread(
            [
                run.similarity_to_previous
                for session in sessions
                for before, run in zip(session.runs, session.runs[1:], strict=False)
                if run.fixes > before.fixes and run.similarity_to_previous is not None
            ]
        ),
        usage=total(session.usage for session in sessions),
    )


def spread(numbers: Sequence[float]) -> Spread | None:
    """Return the spread of the numbers; None without numbers."""
    if not numbers:
        return None
    lower, median, upper = (
        quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else [numbers[0]] * 3
    )
    return Spread(
        count=len(numbers),
        mean=fmean(numbers),
        least=min(numbers),
        lower=lower,
        median=median,
        upper=upper,
        most=max(numbers),
    )


def total(usages: Iterable[Usage]) -> Usage:
    """Return the sum of the usages."""
    return sum(usages, Usage())


Name = FixType | FixScope | FixerName


def _rows(
    names: Iterable[Name],
    of_fix: Callable[[FixFacts], Name],
    of_spent: Callable[[SpentFacts], Name],
    fixes: Sequence[FixFacts],
    spent: Sequence[SpentFacts],
) -> tuple[FixRow, ...]:
    """Return a row for each name that has data."""
    rows = []
    for name in names:
        proposed = [fix for fix in fixes if of_fix(fix) is name]
        in_vain = [item.usage for item in spent if of_spent(item) is name]
        if proposed or in_vain:
            rows.append(_row(name.value, proposed, in_vain))
    return tuple(rows)


def _row(name: str, proposed: Sequence[FixFacts], in_vain: Sequence[Usage]) -> FixRow:
    applied = [fix for fix in proposed if fix.applied]
    return FixRow(
        name=name,
        proposed=len(proposed),
        applied=len(applied),
        led_to=dict(Counter(fix.after for fix in applied)),
        reproducible=sum(fix.after.reproducible and not fix.before.reproducible for fix in applied),
        asked=len(in_vain) + sum(fix.usage.asked > 0 for fix in proposed),
        usage=total([*(fix.usage for fix in proposed), *in_vain]),
        similarity=spread([fix.similarity for fix in applied if fix.similarity is not None]),
    )


def _transitions(fixes: Sequence[FixFacts]) -> tuple[Transition, ...]:
    found = Counter(
        (fix.fix_type, fix.scope, fix.fixer, fix.before, fix.after) for fix in fixes if fix.applied
    )
    return tuple(
        Transition(
            fix_type=fix_type, scope=scope, fixer=fixer, before=before, after=after, fixes=count
        )
        for (fix_type, scope, fixer, before, after), count in found.most_common()
    )


def _outcomes(sessions: Sequence[SessionFacts]) -> tuple[OutcomeCount, ...]:
    found = Counter((session.first, session.best) for session in sessions)
    return tuple(
        OutcomeCount(first=first, best=best, sessions=count)
        for (first, best), count in found.most_common()
    )


def _fix_counts(sessions: Sequence[SessionFacts]) -> tuple[FixCount, ...]:
    made = Counter(session.fixes_made for session in sessions)
    reproducible = Counter(session.fixes_made for session in sessions if session.best.reproducible)
    return tuple(
        FixCount(fixes=fixes, sessions=count, reproducible=reproducible[fixes])
        for fixes, count in sorted(made.items())
    )


def _by_fixes(session: SessionFacts) -> dict[int, RunFacts]:
    """Return the last diagnosed run by the number of fixes made before it."""
    return {run.fixes: run for run in session.runs if run.state is not State.NOT_RUN}


def _similarities(sessions: Sequence[SessionFacts]) -> tuple[SimilarityCount, ...]:
    found: defaultdict[int, list[float]] = defaultdict(list)
    for session in sessions:
        for fixes, run in _by_fixes(session).items():
            found[fixes].append(run.similarity_to_original)
    return tuple(
        SimilarityCount(fixes=fixes, similarity=measured)
        for fixes, numbers in sorted(found.items())
        if (measured := spread(numbers)) is not None
    )


class _Error:
    """Occurrences of one type of error."""

    def __init__(self) -> None:
        self.sessions = 0
        self.left = 0
        self.by_fixes: Counter[int] = Counter()
        self.took: Counter[int] = Counter()


def _errors(sessions: Sequence[SessionFacts]) -> tuple[ErrorRow, ...]:
    seen: defaultdict[str, _Error] = defaultdict(_Error)
    for session in sessions:
        runs = list(_by_fixes(session).items())
        for name in {name for _, run in runs for name in run.errors}:
            error = seen[name]
            error.sessions += 1
            met = [position for position, (_, run) in enumerate(runs) if name in run.errors]
            for position in met:
                fixes, run = runs[position]
                error.by_fixes[fixes] += run.errors[name]
            if met[-1] + 1 < len(runs):
                error.took[runs[met[-1] + 1][0] - runs[met[0]][0]] += 1
            else:
                error.left += 1
    rows = [
        ErrorRow(
            name=name,
            sessions=error.sessions,
            by_fixes=_dense(error.by_fixes),
            took=_dense(error.took),
            left=error.left,
        )
        for name, error in seen.items()
    ]
    rows.sort(key=lambda row: (-sum(row.by_fixes), row.name))
    return tuple(rows[:_MOST_ERROR_TYPES])


def _dense(counts: Counter[int]) -> tuple[int, ...]:
    return tuple(counts[number] for number in range(max(counts, default=-1) + 1))
