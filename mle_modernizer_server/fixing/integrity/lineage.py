"""Write notes on how a patch changes the dependence of results on a fitted model."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from mle_modernizer_server.code.cell_syntax import shared_tree
from mle_modernizer_server.code.data_flow import lost_dependences, trace
from mle_modernizer_server.code.data_flow.dependence import Lost
from mle_modernizer_server.code.data_flow.values import Origin
from mle_modernizer_server.code.experiment.scores import reads_labels
from mle_modernizer_server.code.experiment.written_out import (
    fixed_scores,
    score_labels,
    written_fractions,
)
from mle_modernizer_server.domain.message import Messages, Parameter, coded
from mle_modernizer_server.domain.notebook import CellType, Notebook
from mle_modernizer_server.domain.proposal import CellEdit, IntegrityNote
from mle_modernizer_server.fixing.integrity.comparison import patched_sources
from mle_modernizer_server.fixing.integrity.notes import note
from mle_modernizer_server.fixing.rules.knowledge import syntax_rules
from mle_modernizer_server.fixing.rules.python2.conversion import convert

_INSTEAD = (
    (Origin.SAMPLE, "comes-from.sample"),
    (Origin.OLD, "comes-from.earlier"),
    (Origin.TRAIN, "comes-from.training"),
    (Origin.TEST, "comes-from.test"),
)


def lineage_notes(
    notebook: Notebook, edits: Sequence[CellEdit], targets: Collection[str]
) -> tuple[IntegrityNote, ...]:
    """Return notes on dependences that the notebook's results lose if a patch is applied.

    Args:
        notebook: The notebook without the patch.
        edits: The patch.
        targets: The submission's columns with predictions, if known.
    """
    before = list(_as_python3(notebook))
    after = patched_sources(notebook, edits)
    lost = lost_dependences(trace(before), trace(after), targets)
    if not lost:
        return ()
    # a cell that a rule or a model did not touch is not to blame: its neighbour is
    edited = [edit.cell_id for edit in edits if edit.cell_type is CellType.CODE]
    return tuple(
        one_note for one in lost for one_note in _notes(one, dict(before), dict(after), edited)
    )


@lru_cache(maxsize=16)
def _as_python3(notebook: Notebook) -> tuple[tuple[str, str], ...]:
    """Return id and source of each code cell, with Python 2 converted.

    Otherwise, a converted training in such a cell would seem to be added.
    """
    return tuple(
        (cell.id, cell.source) for cell in convert(notebook, syntax_rules()).notebook.code_cells()
    )


def predicts(notebook: Notebook, edits: Sequence[CellEdit]) -> bool:
    """Return whether a fitted model certainly predicts all that a patched notebook submits.

    Args:
        notebook: The notebook without the patch.
        edits: The patch.
    """
    patched = trace(patched_sources(notebook, edits))
    return (
        patched.complete
        and bool(patched.sinks)
        and all(sink.value.all & Origin.PREDICTED for sink in patched.sinks)
    )


_TRAINS = re.compile(
    r"\.(?:fit|fit_\w+|partial_fit|train|train_\w+|learn|boost|backward|minimize|search)\s*\("
    r"|\b\w*(?:train|fit|cross_val)\w*\s*\("
)


def learns(
    notebook: Notebook, on_the_way: Sequence[str] = (), labels: Collection[str] = ()
) -> bool:
    """Return whether the submissions or printed results of a notebook may depend on training data.

    False only if nothing in it does: a fixed rule. If the code is not understood in full, the
    statements that the submission depends on must neither train nor read a label.

    Args:
        notebook: The notebook.
        on_the_way: The statements that the submission depends on; empty if unknown.
        labels: Names of the columns with labels.
    """
    flow = trace([(cell.id, cell.source) for cell in notebook.code_cells()])
    if not flow.complete or not flow.sinks:
        if not on_the_way:
            return True
        return any(_TRAINS.search(text) or reads_labels(text, labels) for text in on_the_way)
    learned = Origin.PREDICTED | Origin.FITTED | Origin.TRAIN | Origin.UNKNOWN
    return any(sink.value.all & learned for sink in flow.sinks)


def _notes(
    lost: Lost, before: dict[str, str], after: dict[str, str], edited: Sequence[str]
) -> Iterator[IntegrityNote]:
    cell_id = lost.cell_id if lost.cell_id in edited else None
    line = lost.line if cell_id is not None else None
    instead = _instead(lost.instead)
    if lost.code == "shown":
        yield from _score_notes(lost, before, after)
    elif not lost.certain:
        yield note("dependence-unclear", cell_id, line, what=_unclear(lost))
    elif lost.code == "submission":
        file = coded("depends.submission") if lost.name == "*" else lost.name
        yield note("submission-without-model", cell_id, line, file=file, instead=instead)
    elif lost.code == "submission-gone":
        yield note("submission-gone", cell_id, line, file=lost.name)
    elif lost.code == "metric":
        yield note("metric-without-model", cell_id, line, metric=lost.name, instead=instead)
    elif lost.code == "training-part":
        yield note("trained-on-part", cell_id, line)
    elif lost.code == "training-data":
        yield note("trained-on-other-data", cell_id, line, instead=instead)


def _unclear(lost: Lost) -> Parameter:
    if lost.code == "metric":
        return lost.name
    return coded("depends.submission" if lost.code == "submission" else "depends.result")


def _score_notes(
    lost: Lost, before: dict[str, str], after: dict[str, str]
) -> Iterator[IntegrityNote]:
    """Yield notes on a score that is no longer printed: written as a number, or removed."""
    source = after.get(lost.cell_id, "")
    had = {key for key, _ in fixed_scores(shared_tree(before.get(lost.cell_id, "")))}
    for key, line in fixed_scores(shared_tree(source)):
        if key not in had:
            yield note("score-not-computed", lost.cell_id, line, key=key)
            return
    earlier = written_fractions(before.get(lost.cell_id, ""))
    had_labels = score_labels(before.get(lost.cell_id, ""))
    label = next((one for one in score_labels(source) if one in had_labels), "")
    written = [item for item in written_fractions(source).items() if item[0] not in earlier]
    if lost.certain and written:
        key, line = written[0]
        yield note("score-not-computed", lost.cell_id, line, key=key)
    elif lost.certain and label:  # it is now printed with another value
        yield note("score-not-computed", lost.cell_id, lost.line, key=label)
    elif lost.certain and before.get(lost.cell_id) != source:
        yield note("score-print-dropped", lost.cell_id, lost.line)


def _instead(origins: Origin) -> Messages:
    codes = [coded(code) for origin, code in _INSTEAD if origins & origin]
    if len(codes) > 1:
        return coded("comes-from.two", first=codes[0], second=codes[1])
    return codes[0] if codes else coded("comes-from.code")
