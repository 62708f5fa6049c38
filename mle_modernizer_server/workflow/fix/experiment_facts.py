"""Results of measurements as sentences for a fixer: with the scores, and without."""

from __future__ import annotations

from mle_modernizer_server.domain.era import CellContrast, ContrastKind, OwnTimeContrast
from mle_modernizer_server.domain.session import Session
from mle_modernizer_server.domain.verification import Noise, NoiseAnswer, Tried
from mle_modernizer_server.fixing.fixer import Measured
from mle_modernizer_server.words import text

_UNCHANGED = (
    "With the seeds it fixes, the notebook repeats its score. The random streams of `random` and "
    "`np.random.seed`, and the splits of `train_test_split`, `KFold` and `StratifiedShuffleSplit`, "
    "have not changed with the libraries' versions."
)


_ALL_THE_SAME = (
    "All cells that could be compared give what they gave in the libraries of the notebook's time."
)
_MOST_CELLS = 5


def found_out(session: Session) -> tuple[Measured, ...]:
    """Return the results with the original libraries and of the fixes tried; the noise last."""
    found: dict[tuple[str, ...], Measured] = {}
    for calibration in session.calibrations:
        for tried in (*calibration.tried, *calibration.causes):
            found[tried.rules] = _experiment(tried)
    noise = () if session.noise is None else _noise(session.noise)
    return (*_contrast(session.contrast), *found.values(), *noise)


def left_out(session: Session) -> tuple[str, ...]:
    """Return the ids of the rules that were tried and are of no use for the score."""
    rules = (rule for calibration in session.calibrations for rule in calibration.left_out)
    return tuple(dict.fromkeys(rules))


def _contrast(found: OwnTimeContrast | None) -> list[Measured]:
    """Return the first difference between today's run and the one with the original libraries."""
    if found is None or not found.compared:
        return []
    facts = [_said(cell) for cell in found.cells[:_MOST_CELLS]]
    if found.first is None or found.first.kind is ContrastKind.SETTINGS:
        facts.insert(0, _ALL_THE_SAME)
    return [Measured(text=fact, with_scores=fact) for fact in facts]


def _said(cell: CellContrast) -> str:
    head = f"Code cell {cell.ordinal}, compared with the run with its original libraries"
    if cell.kind is ContrastKind.FAILS:
        return f"{head}: it ran then, and fails today."
    told = [f"{one.name} was {one.then} and is {one.now}" for one in cell.values]
    if cell.output is not None:
        told.append(f"it printed {cell.output.saved!r} and prints {cell.output.fresh!r}")
    return f"{head}: {'; '.join(told)}."


def _experiment(tried: Tried) -> Measured:
    if tried.after is None:
        effect = "the run had no score."
    elif not tried.moved:
        effect = "it did not move the score."
    elif tried.within_threshold:
        effect = "it moved the score into the target's band."
    elif tried.nearer:
        effect = "it moved the score towards the target, but not into its band."
    else:
        effect = "it moved the score away from the target."
    together = "Restored together" if len(tried.rules) > 1 else "Restored alone"
    fact = f"{text(tried.what)} {together}: {effect}"
    after = "none" if tried.after is None else f"{tried.after:.6g}"
    return Measured(text=fact, with_scores=f"{fact} ({tried.before:.6g} → {after})")


def _noise(noise: Noise) -> list[Measured]:
    facts = []
    if noise.repeats and noise.seeds:
        facts.append(Measured(text=_UNCHANGED, with_scores=_UNCHANGED))
    said = {
        NoiseAnswer.STEADY: "Repeated runs all give the same score, whatever the seeds: "
        "randomness is not the cause.",
        NoiseAnswer.BEYOND: "Other runs and other seeds move the score far less than its distance "
        "from the target: randomness is not the cause.",
        NoiseAnswer.WITHIN: "Other runs and other seeds move the score as far as the target: its "
        "distance needs no other cause.",
    }.get(noise.answer)
    if said is not None:
        facts.append(Measured(text=said, with_scores=f"{said} {text(noise.message)}"))
    return facts
