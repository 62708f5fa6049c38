"""The result of a run with the original libraries, and the differences today, in words."""

from __future__ import annotations

from mle_modernizer_server.domain.era import CellContrast, ContrastKind, OwnTimeEnd, OwnTimeRun
from mle_modernizer_server.domain.message import Messages, coded
from mle_modernizer_server.domain.session import Session


def message_on(found: OwnTimeRun, *, taken: bool) -> Messages:
    """Return the outcome of a run in the libraries of the notebook's time.

    Args:
        taken: Whether its score is the session's target now.
    """
    libraries = found.libraries
    outputs: Messages = ()
    close = coded("summary.close-outputs", count=found.close) if found.close else ()
    if found.compared:
        outputs = coded("own-time.outputs", count=found.compared, agreeing=found.agreeing) + close
    if found.end is OwnTimeEnd.SCORE and found.score is not None:
        told = coded("own-time.is-target") if taken else ()
        return coded("own-time.score", libraries=libraries, score=found.score) + told + outputs
    if found.end is OwnTimeEnd.OUTPUTS:
        said = coded(
            "own-time.outputs-with",
            libraries=libraries,
            count=found.compared,
            agreeing=found.agreeing,
        )
        return said + close
    if found.end is OwnTimeEnd.NO_SCORE:
        return coded("own-time.runs-without-score", libraries=libraries) + found.reason
    return coded("own-time.fails", libraries=libraries) + found.reason + outputs


def message_on_contrast(session: Session) -> Messages:
    """Return the result of comparing today's run with the one with the original libraries.

    Empty without a comparison.
    """
    found, own = session.contrast, session.own_time
    if found is None or own is None:
        return ()
    libraries = own.libraries
    if not found.compared:
        return coded("contrast.nothing", libraries=libraries)
    extra = coded("contrast.unsteady", count=found.unsteady) if found.unsteady else ()
    first = found.first
    if first is None or first.kind is ContrastKind.SETTINGS:
        said = coded("contrast.same", count=found.compared, libraries=libraries)
        named = () if first is None else coded("contrast.settings", cell=first.ordinal)
        return said + named + extra
    head = coded(
        "contrast.first",
        count=found.compared,
        agreeing=found.agreeing,
        libraries=libraries,
        cell=first.ordinal,
    )
    return head + what_differs(first) + extra


def what_differs(cell: CellContrast) -> Messages:
    """Return the first difference in a cell's results."""
    if cell.kind is ContrastKind.FAILS:
        return coded("contrast.fails", error=cell.error) if cell.error else ()
    if cell.values:
        one = cell.values[0]
        return coded("contrast.value", name=one.name, then=one.then, now=one.now)
    if cell.output is None:
        return ()
    return coded("contrast.printed", then=cell.output.saved, now=cell.output.fresh)
