"""Which dependence on a fitted model a patch lost, from two traces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from mle_modernizer_server.code.data_flow.meanings import is_submission
from mle_modernizer_server.code.data_flow.traces import Sink, SinkKind, Trace
from mle_modernizer_server.code.data_flow.values import MODEL, Origin, Value

_ID = re.compile(r"(?:^|_)(?:id|key|index|idx)s?\Z|[a-z]I[dD]\Z|\Aid", re.IGNORECASE)
_OPEN = Origin.UNKNOWN


@dataclass(frozen=True)
class Lost:
    """A dependence that was there and is not, or can no longer be seen.

    Attributes:
        code: The lost dependence: `submission`, `metric`, `shown`, `training-data`,
            `training-part`.
        name: The file or the metric.
        cell_id: The cell that writes, measures or trains.
        line: The line there.
        instead: The origins of the value now.
        certain: False: something in it is not understood.
    """

    code: str
    name: str
    cell_id: str
    line: int
    instead: Origin
    certain: bool


def lost_dependences(before: Trace, after: Trace, targets: Collection[str]) -> tuple[Lost, ...]:
    """Return the dependences that a notebook's results lose.

    Args:
        before: The notebook as it was.
        after: The notebook with the patch.
        targets: The submission's columns with predictions, if known.
    """
    if not (before.complete and after.complete):
        return ()
    return (
        *_submissions(before, after, targets),
        *_metrics(before, after),
        *_shown(before, after),
        *_trainings(before, after),
    )


def _submissions(before: Trace, after: Trace, targets: Collection[str]) -> Iterator[Lost]:
    old, new = _files(before, targets), _files(after, targets)
    learned = [origins for _, origins in old.values()]
    if not any(origins & MODEL for origins in learned):
        by_hand = [name for name, (_, origins) in old.items() if origins & Origin.TRAIN]
        yield from _no_longer(old, new, by_hand, Origin.TRAIN | MODEL)
        return
    models = [name for name, (_, origins) in old.items() if origins & MODEL]
    yield from _no_longer(old, new, models, MODEL)
    for name, (sink, origins) in new.items():
        if name in old or origins & MODEL:
            continue
        if is_submission(name) or origins & (Origin.SAMPLE | Origin.OLD) or set(new) == {name}:
            yield _lost("submission", sink, origins)


def _no_longer(
    old: dict[str, tuple[Sink, Origin]],
    new: dict[str, tuple[Sink, Origin]],
    names: Collection[str],
    lost: Origin,
) -> Iterator[Lost]:
    for name in names:
        if name not in new:
            if not any(origins & (lost | _OPEN) for _, origins in new.values()):
                sink, _ = old[name]
                yield Lost("submission-gone", name, sink.cell_id, sink.line, Origin.NOTHING, True)
            continue
        sink, origins = new[name]
        if not origins & lost:
            yield _lost("submission", sink, origins)


def _lost(code: str, sink: Sink, origins: Origin) -> Lost:
    return Lost(code, sink.name, sink.cell_id, sink.line, origins, not origins & _OPEN)


def _files(trace: Trace, targets: Collection[str]) -> dict[str, tuple[Sink, Origin]]:
    """Return the origins of the predictions in each file; of several writings of one file the
    last."""
    files: dict[str, tuple[Sink, Origin]] = {}
    for sink in trace.sinks:
        if sink.kind is SinkKind.SUBMISSION:
            origins = _predictions(sink.value, targets)
            earlier = files.get(sink.name)
            if (
                earlier is not None
                and earlier[0].cell_id == sink.cell_id
                and not sink.value.columns
            ):
                origins |= earlier[1]  # written line by line
            files[sink.name] = (sink, origins)
    return files


def _predictions(value: Value, targets: Collection[str]) -> Origin:
    """Return the origins of the columns with predictions; the least of several targets."""
    columns = [name for name in targets if name in value.columns]
    if columns:
        least = value.columns[columns[0]]
        for name in columns[1:]:
            least = _least(least, value.columns[name])
        return least
    origins = value.origins
    for name, column in value.columns.items():
        if not _ID.search(name):
            origins |= column
    return origins


def _least(one: Origin, other: Origin) -> Origin:
    if bool(one & MODEL) != bool(other & MODEL):
        return other if one & MODEL else one
    return one | other


def _metrics(before: Trace, after: Trace) -> Iterator[Lost]:
    had, without = _measured(before)
    has, now_without = _measured(after)
    for sink in after.sinks:
        if sink.kind is not SinkKind.METRIC or sink.value.all & MODEL:
            continue
        if had[sink.name] > has[sink.name] and now_without[sink.name] > without[sink.name]:
            yield _lost("metric", sink, sink.value.all)


def _measured(trace: Trace) -> tuple[Counter[str], Counter[str]]:
    """Return the metrics of a model's results by name, and those of other values."""
    metrics = [one for one in trace.sinks if one.kind is SinkKind.METRIC]
    of_model = Counter(one.name for one in metrics if one.value.all & MODEL)
    return of_model, Counter(one.name for one in metrics) - of_model


def _shown(before: Trace, after: Trace) -> Iterator[Lost]:
    """Yield cells that displayed predictions, and display fewer of them."""
    had, has = _shown_by_cell(before), _shown_by_cell(after)
    open_cells = {
        sink.cell_id
        for sink in after.sinks
        if sink.kind is SinkKind.SHOWN and sink.value.all & _OPEN and not sink.value.all & MODEL
    }
    for cell_id, sinks in had.items():
        if len(has.get(cell_id, ())) < len(sinks):
            sink = sinks[0]
            yield Lost("shown", "", cell_id, sink.line, Origin.NOTHING, cell_id not in open_cells)


def _shown_by_cell(trace: Trace) -> dict[str, list[Sink]]:
    sinks: dict[str, list[Sink]] = {}
    for sink in trace.sinks:
        if sink.kind is SinkKind.SHOWN and sink.name and sink.value.all & Origin.PREDICTED:
            sinks.setdefault(sink.cell_id, []).append(sink)
    return sinks


def _trainings(before: Trace, after: Trace) -> Iterator[Lost]:
    old_parts = sum(bool(one.data & Origin.PART) for one in before.trainings)
    new_parts = [one for one in after.trainings if one.data & Origin.PART]
    if len(new_parts) > old_parts:
        one = new_parts[-1]
        yield Lost("training-part", "", one.cell_id, one.line, one.data, True)
    had = sum(bool(one.data & Origin.TRAIN) for one in before.trainings)
    has = sum(bool(one.data & (Origin.TRAIN | _OPEN)) for one in after.trainings)
    if has < had:
        for one in after.trainings:
            if not one.data & (Origin.TRAIN | _OPEN):
                yield Lost("training-data", "", one.cell_id, one.line, one.data, True)
                return
