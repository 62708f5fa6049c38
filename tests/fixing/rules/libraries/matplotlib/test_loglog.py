"""`loglog` with other scales for its two axes."""

from __future__ import annotations

import pytest

from tests.fixing.rules.rewriting import assert_rewrites, cells

IMPORT = "import matplotlib.pyplot as plt"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "plt.loglog(x, y, basex=2)  # twice",
            "plt.loglog(x, y)  # twice\nplt.xscale('log', base=2)",
        ),
        (
            "ax.loglog(x, y, basex=2, basey=3, c='r')",
            "ax.loglog(x, y, c='r')\nax.set_xscale('log', base=2)\nax.set_yscale('log', base=3)",
        ),
        ("lines = plt.loglog(x, y, basey=2, basex=2)", "lines = plt.loglog(x, y, base=2)"),
        ("plt.loglog(x, y, basex=2, basey=2, c='r')", "plt.loglog(x, y, base=2, c='r')"),
        ("lines = plt.loglog(x, y, basex=2)", "lines = plt.loglog(x, y, basex=2)"),
        (
            "if log:\n    plt.loglog(x, y, nonposy='clip')",
            "if log:\n    plt.loglog(x, y)\n    plt.yscale('log', nonpositive='clip')",
        ),
    ],
)
def test_each_axis_keeps_its_scale(before: str, after: str) -> None:
    assert_rewrites("matplotlib-log-base", before, after, IMPORT)


def test_semilogx_has_one_scale() -> None:
    assert cells(IMPORT, "plt.semilogx(x, basex=2)", rules=("matplotlib-log-base",)) == [
        IMPORT,
        "plt.semilogx(x, base=2)",
    ]
