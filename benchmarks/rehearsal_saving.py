"""Time until a notebook's last error with a rehearsal and without, and the cost of samples.

A notebook does honest slow work on a large table and fails in its last cell. Prints and asserts
nothing.

    python benchmarks/rehearsal_saving.py [--rows N] [--sandbox NAME] [--samples]
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import logging
import os
import random
import tempfile
import time
from pathlib import Path

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Iteration
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.verification import RehearsalSettings
from mle_modernizer_server.execution.sampling.making import Layout, Watch, make_sample
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.wiring import build_services
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.log.store import Store
from mle_modernizer_server.workflow.service import Modernizer

COMPETITION = """\
metric: accuracy
id_columns: [id]
target_columns: [target]
"""

CELLS = (
    "import numpy as np, pandas as pd\n"
    "train = pd.read_csv('../input/slow/train.csv')\n"
    "test = pd.read_csv('../input/slow/test.csv')",
    "def feature(row):\n    return row['a'] * 2 if row['kind'] == 'k1' else row['b'] - row['a']\n"
    "train['f'] = train.apply(feature, axis=1)\ntest['f'] = test.apply(feature, axis=1)",
    "from sklearn.ensemble import RandomForestClassifier\n"
    "from sklearn.model_selection import cross_val_score\n"
    "columns = ['a', 'b', 'f']\n"
    "model = RandomForestClassifier(n_estimators=60, random_state=0)\n"
    "print(cross_val_score(model, train[columns], train['target'], cv=5).mean())",
    "model.fit(train[columns], train['target'])\ntest['target'] = model.predict(test[columns])",
    "out = test[['id', 'target']].append(test[['id', 'target']].head(0))\n"
    "out.to_csv('submission.csv', index=False)",
)
"""Row by row features, cross-validation, and a call that pandas 2.0 removed, in the last cell."""


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000, help="rows of the train data")
    parser.add_argument("--sandbox", default="process", help="where the notebook runs")
    parser.add_argument("--samples", action="store_true", help="only the making of samples")
    given = parser.parse_args()
    logging.disable(logging.ERROR)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["JUPYTER_DATA_DIR"] = f"{scratch}/jupyter"
        root = Path(scratch) / "data"
        prepare(root, given.rows)
        measure_samples(root / "slow/prepared/public", Path(scratch))
        if not given.samples:
            for rehearsal in (None, RehearsalSettings()):
                asyncio.run(measure(root, given.sandbox, rehearsal))


def prepare(root: Path, rows: int) -> None:
    """Make the competition `slow` below a data root."""
    public, private = root / "slow/prepared/public", root / "slow/prepared/private"
    public.mkdir(parents=True)
    private.mkdir(parents=True)
    (root / "slow/competition.yaml").write_text(COMPETITION)
    rng = random.Random(0)

    def write(path: Path, header: list[str], first: int, number: int) -> None:
        with path.open("w", newline="") as file:
            out = csv.writer(file)
            out.writerow(header)
            for at in range(first, first + number):
                a, b = rng.random(), rng.random()
                row = {"id": at, "a": a, "b": b, "kind": f"k{at % 9}", "target": int(a > b)}
                out.writerow([row[name] for name in header])

    write(public / "train.csv", ["id", "a", "b", "kind", "target"], 0, rows)
    write(public / "test.csv", ["id", "a", "b", "kind"], rows, rows // 4)
    write(public / "sample_submission.csv", ["id", "target"], rows, rows // 4)
    write(private / "answers.csv", ["id", "target"], rows, rows // 4)


def measure_samples(public: Path, scratch: Path) -> None:
    """Measure the cost of making a sample."""
    size = sum(path.stat().st_size for path in public.iterdir()) / 1e6
    began, busy = time.monotonic(), time.process_time()
    sample = make_sample(
        public,
        scratch / "sample",
        Layout(("id",), ("target",), "sample_submission.csv"),
        RehearsalSettings().rows,
        Watch(3_600),
    )
    seconds, busy = time.monotonic() - began, time.process_time() - busy
    print(
        f"a sample of {size:.0f} MB ({sample.size}): {seconds:.1f} s; "
        f"{busy:.1f} s of the processor, {size / busy:.0f} MB/s"
    )


async def measure(root: Path, sandbox: str, rehearsal: RehearsalSettings | None) -> None:
    """Measure the time to the first error, and to the proposal for it."""
    began = time.monotonic()
    met: list[float] = []

    def listen(_: object, event: events.Event) -> None:
        if isinstance(event, events.Progressed) and event.error is not None:
            met.append(time.monotonic() - began)

    rooms = build_services(data_root=root, sandbox=sandbox, llm=LlmSettings())
    modernizer = Modernizer(Store(None, listen), rooms)
    settings = SessionSettings(
        competition="slow", time_limit=3_600, fixers=(FixerName.RULES,), rehearsal=rehearsal
    )
    notebook = Notebook(
        cells=tuple(
            Cell(id=f"c{at}", type=CellType.CODE, source=source) for at, source in enumerate(CELLS)
        )
    )
    session = modernizer.sessions.create("slow.ipynb", notebook, settings)
    modernizer.runs.start_run(session.id, notebook)
    session = await modernizer.sessions.finished(session.id)
    total = time.monotonic() - began
    await modernizer.close()
    name = "with a rehearsal" if rehearsal else "without"
    runs = _runs(session.iterations)
    first = f"{met[0]:.1f} s" if met else "never"
    print(f"{name}: first error after {first}, its fix after {total:.1f} s; {runs}")


def _runs(iterations: tuple[Iteration, ...]) -> str:
    return ", ".join(
        f"{one.kind.value} {one.execution.seconds:.1f} s" for one in iterations if one.execution
    )


if __name__ == "__main__":
    main()
