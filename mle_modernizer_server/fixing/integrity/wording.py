"""What each finding is called: one sentence, and for what blocks a form that would be allowed."""

from __future__ import annotations

from mle_modernizer_server.domain.proposal import IntegrityNote, IntegritySeverity

_KEEP_MODEL = "Keep the author's model, fit it on the training data and write what it predicts."
_BLOCKERS = {
    "private-answers": (
        "It reads the answers of the competition ({key}).",
        "Use the competition's public files only.",
    ),
    "existing-submission": (
        "It reads a submission that already exists ({key}).",
        _KEEP_MODEL,
    ),
    "constant-prediction": (
        "It writes a constant as prediction (column {key}).",
        "Write the predictions of the fitted model into the column. To write into some rows where "
        'the author did, `df.loc[rows, "{key}"] = value` takes the place of `df["{key}"][rows] = '
        "value`.",
    ),
    "hard-coded-score": (
        "It writes a score down instead of computing it ({key}).",
        "Print what the metric's function returns for the model's predictions.",
    ),
    "network": (
        "It reaches for the network ({key}).",
        "There is none. Use what is installed and the competition's files, or leave the line as "
        "the author wrote it.",
    ),
    "process": (
        "It runs code or commands that cannot be reviewed ({key}).",
        "Write it as plain Python, or leave the author's line as it is.",
    ),
    "deletion": ("It deletes files ({key}).", "Leave the files where they are."),
    "swallowed-error": (
        "It swallows errors around a {key}.",
        "Mend what raises the error; no try/except around it.",
    ),
    "training-dropped": (
        "A training step is gone{key}.",
        "Keep every call that trains, with today's name and arguments.",
    ),
    "model-dropped": (
        "A model is gone: {key}.",
        "Keep every model of the author, with today's name of its class.",
    ),
    "model-knows-nothing": (
        "It brings a model that learns nothing from the features ({key}).",
        _KEEP_MODEL,
    ),
    "prediction-replaced": (
        "It replaces a function of a model or a metric by another one ({key}).",
        "Call the library's own function with today's name and arguments.",
    ),
    "metric-fixed": (
        "It defines a metric that returns a fixed number ({key}).",
        "Compute the metric: import it from where it lies today, or write its formula.",
    ),
    "outside-data": (
        "It brings data in that is no file of the competition ({key}).",
        "Read the competition's files that the author read.",
    ),
    "notebook-ended": (
        "It ends the notebook early ({key}).",
        "Let the notebook run from the first cell to the last.",
    ),
    "submission-without-model": (
        "What it writes to {file} does not come from a fitted model any more, but from {instead}.",
        _KEEP_MODEL,
    ),
    "submission-gone": (
        "Nothing writes the model's predictions to {file} any more.",
        "Keep the line that writes the submission.",
    ),
    "metric-without-model": (
        "{metric} is given nothing that a model predicted any more, but {instead}.",
        "Give the metric the true values and the predictions that the author gave it.",
    ),
    "score-not-computed": (
        "A score that was computed is now written as a number ({key}).",
        "Print what the metric's function returns for the model's predictions.",
    ),
    "prediction-from-truth": (
        "It makes what is measured out of the true values ({key}).",
        "Give the metric the predictions of the model as they are.",
    ),
    "trained-on-part": (
        "A model is trained on a part of the rows.",
        "Train on all rows that the author trained on. If that takes too long, make the "
        "computation faster.",
    ),
    "trained-on-other-data": (
        "A model is trained on {instead} and not on the training data.",
        "Fit the model on the training data that the author gave it.",
    ),
}
_WARNINGS = {
    "data-thinned": "{what}",
    "feature-step-dropped": "A step that prepares features is gone (.fit_transform).",
    "model-changed": "Another model: {gone} became {name}.",
    "training-cut": "Training is cut: {name} was {old} and is {new}.",
    "seed-changed": "{change}",
    "split-changed": "{change}",
    "hyper-parameter-changed": "{change}",
    "assertion-dropped": "An assertion is gone: {key}.",
    "training-data-changed": "A model is trained on other variables: {old} became {new}.",
    "metric-changed": "A metric is called in another way: {old} became {new}.",
    "training-conditional": "A training step now depends on a condition: {key}.",
    "score-print-dropped": "A cell shows less of what its model predicts.",
    "dependence-unclear": "Whether {what} still depends on a fitted model cannot be read from the "
    "code. A run with shuffled labels shows it.",
}


def note(
    code: str, cell_id: str | None, line: int | None = None, **parameters: str
) -> IntegrityNote:
    """A finding in words; whether it blocks follows from its code."""
    blocks = code in _BLOCKERS
    sentence = _BLOCKERS[code][0] if blocks else _WARNINGS[code]
    allowed = _BLOCKERS[code][1] if blocks else ""
    return IntegrityNote(
        severity=IntegritySeverity.BLOCKER if blocks else IntegritySeverity.WARNING,
        code=code,
        message=sentence.format(**parameters),
        cell_id=cell_id,
        line=line,
        parameters=parameters,
        allowed=allowed.format(**parameters) if "{" in allowed else allowed,
    )
