"""A comparison on validation folds, on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from mle_modernizer_server.cli.terminal.proofs import experiment_line
from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.cli.terminal.tables import new_table
from mle_modernizer_server.domain.improvement import (
    Block,
    Comparison,
    EarlierResult,
    FoldPlan,
    Improvement,
    TriedVersion,
    UnusedPlan,
)
from mle_modernizer_server.domain.text import counted
from mle_modernizer_server.words import CellNames, label, text

_WIDEST_BAR = 24


def plan_line(plan: FoldPlan) -> str:
    """Return how the folds are made, and why."""
    by = plan.split.value + ("" if plan.column is None else f" by {one_line(plan.column, 80)}")
    reason = label("fold-reason", plan.reason)
    least, most = min(plan.held_out), max(plan.held_out)
    if plan.count == 1:
        return (
            f"A single hold-out set of {one_line(plan.table, 200)} ({plan.rows:,} rows, {most:,} "
            f"held out), which is weak evidence, {by}: {reason}"
        )
    rows = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return (
        f"{plan.count} validation folds of {one_line(plan.table, 200)} ({plan.rows:,} rows, {rows} "
        f"held out in each), {by}: {reason}"
    )


def leaks_text(found: Improvement, cells: CellNames | None = None) -> str:
    """Return the evidence against the scores, in the code and by experiment; empty if none."""
    lines = [
        f"Cell {_name(leak.cell, cells)}, line {leak.line}: "
        f"{label('leak', leak.kind.value, name=one_line(leak.name, 80) or 'a column')}."
        for leak in found.leaks
    ]
    lines += map(experiment_line, found.failed_experiments)
    if lines:
        lines.insert(0, "This may make a score look better than it is:")
    return _joined(lines)


def guards_text(found: Improvement, cells: CellNames | None = None) -> str:
    """Return the points to check before a score is believed, a line each; empty if none."""
    lines = []
    plan = found.folds
    if plan.copies:
        lines.append(
            f"{plan.copies:,} of {plan.held_out[-1]:,} rows that the last fold holds out are among "
            "its training rows too, but for the id."
        )
    if found.unopened:
        names = ", ".join(one_line(name, 80) for name in found.unopened)
        lines.append(f"Public files that the code does not name: {names}.")
    return leaks_text(found, cells) + _joined(lines)


def other_experiments_text(found: Improvement) -> str:
    """Return the experiments without evidence against the scores, a line each."""
    failed = found.failed_experiments
    return _joined([experiment_line(one) for one in found.experiments if one not in failed])


def opinion_text(found: Improvement, cells: CellNames | None = None) -> str:
    """Return a model's opinion on leaks, which decides nothing; empty if there is none."""
    opinion = found.opinion
    if opinion is None:
        return ""
    if opinion.leaks is None:
        said = f"none, because {text(opinion.reason)}"
    else:
        named = ", ".join(_name(cell, cells) for cell in opinion.cells)
        said = ("a leak" if opinion.leaks else "no leak") + (f" (cell {named})" if named else "")
        said += f". {opinion.why}" if opinion.why else ""
    return f"The model's opinion on leaks, which decides nothing: {one_line(said, 800)}\n"


def _name(number: int, cells: CellNames | None) -> str:
    return str(number) if cells is None else cells.each(number)


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def blocks_table(found: Sequence[Block]) -> Table:
    """Return a table with a row per block; a star if the submission depends on it."""
    columns = ("block", "role", "cell", "lines", "", "begins with")
    caption = "* the submission depends on it"
    table = new_table("Blocks of the notebook", columns, ("block", "cell"), caption)
    for one in found:
        lines = str(one.first) if one.first == one.last else f"{one.first}-{one.last}"
        star = "*" if one.submitted else ""
        begin = Text(one_line(one.text, 80))
        role = f"{one.role.value} (yours)" if one.corrected else one.role.value
        table.add_row(str(one.number), role, str(one.cell), lines, star, begin)
    return table


def ablation_table(found: Improvement) -> Table:
    """Return a table with a row per removed part, sorted by its worth, which the bar displays."""
    table = new_table(
        "What each part is worth",
        ("taken out", "block", "worth", "interval", "", "folds"),
        right=("worth", "interval", "folds"),
        caption="What the score loses without the part, on average over the folds; less than 0 is "
        "better left out. All parts were taken out on the first fold, those that matter most on "
        "all.",
    )
    known = found.effects()
    largest = max((abs(one.gain.mean) for one in known if one.gain), default=0.0)
    numbered = {one.number: one for one in found.blocks}
    for one in (*known, *(one for one in found.ablations if one not in known)):
        block = numbered.get(one.block) if one.block is not None else None
        where = "" if block is None else f"{block.number} {block.role.value}"
        worth, interval, bar = "", "", Text("")
        if one.comparison is Comparison.FAILED:
            worth = "does not run"
        elif one.gain is not None:
            worth, bar = f"{-one.gain.mean:+.4g}", _bar(-one.gain.mean, largest)
            if one.gain.low is not None and one.gain.high is not None:
                interval = f"{-one.gain.high:+.4g} to {-one.gain.low:+.4g}"
        table.add_row(one_line(one.name, 60), where, worth, interval, bar, str(len(one.scores)))
    return table


def _bar(worth: float, largest: float) -> Text:
    share = abs(worth) / largest if largest else 0.0
    return Text("█" * round(share * _WIDEST_BAR), style="green" if worth > 0 else "red")


def improvement_table(found: Improvement) -> Table:
    """Return a table with a row per version; below, the basis of the scores."""
    numbers = ("mean score", "gain", "interval", "folds", "seconds")
    columns = ("version", "verdict", *numbers)
    table = new_table("Comparison on validation folds", columns, numbers)
    better = (one for one in found.ablations if one.comparison is Comparison.BETTER)
    for version in (found.baseline, *found.candidates, *better):
        table.add_row(*_row(version))
    tried = (*found.candidates, *found.ablations)
    gains = [one.gain for one in tried if one.gain is not None]
    confidence = gains[0].confidence if gains else 0.95
    weak = "One hold-out set: weak evidence. " if found.is_weak else ""
    table.caption = (
        f"{weak}{counted(found.runs, 'run')}. Gains are positive where a version is better; the "
        f"intervals hold with {confidence:.3g} confidence each, because {found.tried} are tried."
    )
    return table


def changes_text(found: Improvement) -> str:
    """Return each version's changes and its origin, then the untried ones, a line each."""
    lines = [
        f"{one_line(one.name, 100)}: {one_line(text(one.what), 300)}{_lineage(one)}"
        for one in (*found.candidates, *found.ablations)
        if one.what or one.parent
    ]
    lines += [
        f"Not tried ({_step(one)}): {one_line(text(one.reason), 300)}" for one in found.unused
    ]
    lines += [f"Earlier: {_earlier(one)}" for one in found.earlier]
    if found.cut_short:
        lines.append("Versions without a verdict were left out, because the budget was too small.")
    return _joined(lines)


def _earlier(one: EarlierResult) -> str:
    """Return the results of earlier searches on a change."""
    name = one_line(one.name, 100)
    searches = "search" if one.tried == 1 else "searches"
    return (
        f"on similar tasks, {name} was better in {one.better} and worse in {one.worse} of "
        f"{one.tried} {searches}."
    )


def _lineage(version: TriedVersion) -> str:
    """Return the origin of a version, and its gain over that."""
    if not version.parent:
        return ""
    gain = "" if version.step is None else f", {version.step.mean:+.4g} over it"
    return f" (made of {one_line(version.parent, 100)}{gain})"


def _step(plan: UnusedPlan) -> str:
    return f"{plan.kind}, round {plan.round}" if plan.round else plan.kind


def _row(version: TriedVersion) -> tuple[str, ...]:
    scores = [one.score for one in version.scores if one.score is not None]
    mean = f"{sum(scores) / len(scores):.6g}" if scores else ""
    gain, interval = "", ""
    if version.gain is not None:
        gain = f"{version.gain.mean:+.4g}"
        if version.gain.low is not None and version.gain.high is not None:
            interval = f"{version.gain.low:+.4g} to {version.gain.high:+.4g}"
    verdict = "" if version.comparison is None else label("comparison", version.comparison.value)
    if version.raced_out:
        verdict += " (on the first fold)"
    if version.comparison is Comparison.FAILED:
        verdict += f": {one_line(version.scores[-1].reason, 200)}"
    return (
        one_line(version.name, 100),
        verdict,
        mean,
        gain,
        interval,
        str(len(version.scores)),
        f"{version.seconds:.1f}",
    )
