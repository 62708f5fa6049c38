"""Notebooks as text, for what only reads code."""

from __future__ import annotations

from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook

LOAD = (
    "import pandas as pd\n"
    "train = pd.read_csv('../input/shop/train.csv')\n"
    "test = pd.read_csv('../input/shop/test.csv')"
)
SUBMIT = "test[['id', 'y']].to_csv('submission.csv', index=False)"


def notebook(*sources: str) -> Notebook:
    """A notebook of code cells."""
    cells = tuple(
        Cell(id=f"c{number}", type=CellType.CODE, source=source)
        for number, source in enumerate(sources, start=1)
    )
    return Notebook(cells=cells)


def trained(model: str, fit: str = "model.fit(train[['a']], train['y'])") -> Notebook:
    """Loads, fits a model, submits; `model` has its import and binds the name."""
    predict = "test['y'] = model.predict(test[['a']])"
    return notebook(LOAD, f"{model}\n{fit}", f"{predict}\n{SUBMIT}")
