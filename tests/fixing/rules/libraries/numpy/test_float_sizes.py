"""Sizes that are fractions become whole numbers where a run failed at them."""

import pytest

from tests.fixing.rules.rewriting import cells, error

SETUP = "import numpy as np\nn = (b - a) / 0.5"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("np.linspace(a, b, n)", "np.linspace(a, b, int(n))"),
        ("np.linspace(a, b, num=n + 1)", "np.linspace(a, b, num=int(n + 1))"),
        ("np.zeros((k / 2, 3))", "np.zeros((int(k / 2), 3))"),
        ("for i in range(0, np.ceil(k)): pass", "for i in range(0, int(np.ceil(k))): pass"),
        ("x.reshape(-1, k / 2)", "x.reshape(-1, int(k / 2))"),
        ("np.zeros(k)", "np.zeros(k)"),
        ("y = x[n / 2:]", "y = x[int(n / 2):]"),
        ("y = x[:3, np.floor(k)]", "y = x[:3, int(np.floor(k))]"),
    ],
)
def test_a_fraction_is_cut_off_where_the_run_failed(before: str, after: str) -> None:
    seen = error(
        "b", "TypeError", "'numpy.float64' object cannot be interpreted as an integer", line=1
    )
    assert cells(SETUP, before, rules=("numpy-float-sizes",), errors=(seen,))[1] == after


def test_nothing_is_done_before_a_run() -> None:
    source = "np.linspace(a, b, n)"
    assert cells(SETUP, source, rules=("numpy-float-sizes",))[1] == source
