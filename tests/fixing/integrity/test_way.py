"""Which cells a submission depends on."""

from __future__ import annotations

from mle_modernizer_server.fixing.integrity.way import way_to_submission
from tests.values import notebook


def test_plots_are_not_on_the_way_and_features_are() -> None:
    book = notebook(
        "import pandas as pd\nd = pd.read_csv('train.csv')",
        "d.plot()\nfig, ax = plt.subplots()",
        "for t in [d]:\n    t['f'] = t.a * 2",
        "d['g'] = d.a + 1",
        "model = SVC()",
        "model.fit(d[['g']], d.y)",
        "sub = d.copy()\nsub['y'] = model.predict(d)\nsub.to_csv('submission.csv')",
        "sub.head()",
    )
    assert way_to_submission(book) == {"c0", "c3", "c4", "c5", "c6"} | {"c2"}


def test_without_a_submission_there_is_no_way() -> None:
    assert way_to_submission(notebook("x = 1", "print(x)")) == frozenset()
