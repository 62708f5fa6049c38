"""The diagnosis of what a real kernel says, not of what we think it says."""

from __future__ import annotations

import asyncio

from mle_modernizer_server.diagnosis import diagnose
from mle_modernizer_server.domain.diagnosis import ErrorKind
from mle_modernizer_server.domain.grade import Grade, OutputStatus
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.execution.sandboxes.choose import choose_sandbox
from mle_modernizer_server.execution.sandboxes.workspace import Workspace
from tests.running import run_notebook

CELLS = {
    "imports": "import numpy as np, pandas as pd\nfrom sklearn.cross_validation import KFold",
    "helper": "def clean(df):\n    df = df.copy()\n    return df.append(df)",
    "frame": "raw = pd.DataFrame({'a': [1, 2]})\ntrain = clean(raw)\ntest = raw",
    "exists": "raw.shape",
    "split": "folds = KFold(2)",
    "feature": "for part in [raw, train]:\n    part['b'] = 1",
    "python2": "print 'old'\nseed = 3",
    "seeded": "np.random.seed(seed)",
    "column": "raw['b'] + 1",
    "own": "raw.ix[0]",
    "timed": "%%time\nx = 1\nraw.missing\nlater = 2",
    "after": "print(x, later)",
}


def test_root_errors_and_cascades_of_a_real_run():
    notebook = Notebook(
        cells=tuple(
            Cell(id=name, type=CellType.CODE, source=source) for name, source in CELLS.items()
        )
    )

    async def run():
        with Workspace() as workspace:
            return await run_notebook(
                notebook,
                sandbox=choose_sandbox("process"),
                workspace=workspace,
                time_limit=60,
                on_event=lambda _: None,
                cancel=asyncio.Event(),
            )

    execution = asyncio.run(run()).execution
    diagnosis = diagnose(notebook, execution, Grade(output_status=OutputStatus.WITHOUT_CSV))
    told = {item.error.cell_id: (item.kind, item.caused_by) for item in diagnosis.findings}
    assert told == {
        "imports": (ErrorKind.ROOT, None),
        "frame": (ErrorKind.ROOT, None),
        "split": (ErrorKind.CASCADE, "imports"),
        "feature": (ErrorKind.CASCADE, "frame"),
        "python2": (ErrorKind.ROOT, None),
        "seeded": (ErrorKind.CASCADE, "python2"),
        "column": (ErrorKind.CASCADE, "frame"),
        "own": (ErrorKind.ROOT, None),
        "timed": (ErrorKind.ROOT, None),
        "after": (ErrorKind.CASCADE, "timed"),
    }
    first = diagnosis.first_root()
    assert first is not None and first.error.cell_id == "imports"
