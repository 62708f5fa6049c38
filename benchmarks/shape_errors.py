"""How soon trials on a sampled batch meet planted shape errors, against the whole run's time.

    python benchmarks/shape_errors.py [--copies N] [--sandbox NAME]

The notebook is the one that is made for a paper (`tests/reproducing/papers/digits.tex`), with a
network that is trained long on many copies of its data. In each case one error of shape is planted
that a whole run meets only behind its training. The trials are those that writing a notebook makes:
its method on a batch of 64 rows, then its experiment on 200. Seconds are processor time of the run
with everything it starts, in one thread; in brackets wall-clock. Prints and asserts nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import resource
import tempfile
import time
from pathlib import Path

from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.session import SessionSettings
from mle_modernizer_server.domain.writing import WritingStage
from mle_modernizer_server.execution.documents import notebook_from_json
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.reproducing.stages import trial
from mle_modernizer_server.wiring import build_modernizer
from mle_modernizer_server.workflow.run.run_once import RunOptions, run_once
from mle_modernizer_server.workflow.service import Modernizer

PAPER = Path(__file__).parents[1] / "tests/reproducing/papers/digits.tex"
DATA = """

noise = np.random.default_rng(SEED).normal(size=({copies} * len(X), 64))
X = np.repeat(X, {copies}, axis=0) + noise
y = np.repeat(y, {copies})"""
CELLS = {
    "method": """\
from sklearn.neural_network import MLPClassifier


class Network(MLPClassifier):
    def predict(self, X):
        return super().predict(X)


def make_model():
    return Network(hidden_layer_sizes=(128,), max_iter=120, tol=0, n_iter_no_change=10**6)""",
    "training": """\
from sklearn.model_selection import train_test_split

X_train, X_test, y_train, y_test = train_test_split(X / 16, y, train_size=0.7, random_state=SEED)
fitted = make_model().fit(X_train, y_train)
predicted = fitted.predict(X_test)""",
    "evaluation": """\
results = {CLAIM: 100 * np.mean(predicted == y_test)}""",
}
ERRORS = {
    "predictions lack a row": ("method", "super().predict(X)", "super().predict(X)[1:]"),
    "predict drops a column": ("method", "super().predict(X)", "super().predict(X[:, 1:])"),
    "wrong axis of probabilities": (
        "evaluation",
        "predicted == y_test",
        "fitted.predict_proba(X_test) * y_test",
    ),
    "targets of the other split": (
        "evaluation",
        "predicted == y_test",
        "(predicted - y_train) == 0",
    ),
    "reshaped to one more column": (
        "training",
        "predicted = fitted.predict(X_test)",
        "predicted = fitted.predict(X_test).reshape(len(X_test), 2)",
    ),
}


def main() -> None:
    """Run the right notebook whole, then each wrong one by trials."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=20, help="of the 1,797 digits")
    parser.add_argument("--sandbox", default="process", help="where the notebooks run")
    given = parser.parse_args()
    logging.disable(logging.ERROR)
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as scratch:
        modernizer = build_modernizer(
            data_root=Path(scratch), sandbox=given.sandbox, llm=LlmSettings()
        )
        asyncio.run(compare(modernizer, given.copies, given.sandbox))


async def compare(modernizer: Modernizer, copies: int, sandbox: str) -> None:
    """Print a line a run."""
    content = await modernizer.draft_reproduction(PAPER, ())
    claim = modernizer.experiment_in(content, "digits.ipynb").claims[0].claim.id
    _, notebook = notebook_from_json(json.loads(content))
    right = _with(notebook, CELLS | {"data": _source(notebook, "data") + DATA})
    right = _replaced(
        _replaced(right, "data", "{copies}", str(copies)), "evaluation", "CLAIM", repr(claim)
    )
    whole, wall, error = await ran(modernizer, right, sandbox)
    print(f"whole run without an error: {whole:.1f} s ({wall:.1f} s) {error}", flush=True)
    for name, (cell, before, after) in ERRORS.items():
        wrong = _replaced(right, cell, before, after)
        spent = taken = 0.0
        for stage in (WritingStage.METHOD, WritingStage.EXPERIMENT):
            seconds, wall, error = await ran(modernizer, trial(wrong, stage), sandbox)
            spent, taken = spent + seconds, taken + wall
            if error:
                break
        print(
            f"{name}: {spent:.1f} s ({taken:.1f} s), {spent / whole:.1%} of the whole run, "
            f"by the trial of the {stage.value if error else 'none'}: {error}",
            flush=True,
        )
    await modernizer.close()


async def ran(modernizer: Modernizer, notebook: Notebook, sandbox: str) -> tuple[float, float, str]:
    """A run's processor time and wall-clock time, and its first error."""
    options = RunOptions(SessionSettings(sandbox=sandbox, time_limit=3_600))
    began, before = time.monotonic(), _busy()
    run = await run_once(
        notebook,
        options,
        modernizer.services,
        on_event=lambda event: None,
        cancel=asyncio.Event(),
    )
    first = next((one for one in run.execution.errors if one.raised), None)
    error = f"{first.ename}: {first.evalue[:70]}" if first else ""
    return _busy() - before, time.monotonic() - began, error


def _busy() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _source(notebook: Notebook, name: str) -> str:
    return next(cell.source for cell in notebook.cells if cell.id == name)


def _with(notebook: Notebook, sources: dict[str, str]) -> Notebook:
    return Notebook(
        cells=tuple(
            cell.model_copy(update={"source": sources.get(cell.id, cell.source)})
            for cell in notebook.cells
        )
    )


def _replaced(notebook: Notebook, name: str, before: str, after: str) -> Notebook:
    source = _source(notebook, name)
    assert before in source
    return _with(notebook, {name: source.replace(before, after)})


if __name__ == "__main__":
    main()
