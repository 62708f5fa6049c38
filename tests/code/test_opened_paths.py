"""Which texts of code something may open."""

from __future__ import annotations

import pytest

from mle_modernizer_server.code.opened_paths import opened_paths


@pytest.mark.parametrize(
    "code",
    [
        "TfidfVectorizer(token_pattern='/x')",
        "P = '/x'\nTfidfVectorizer(token_pattern=P)",
        "pd.read_csv('a.csv', sep='/x')",
        "df['t'].str.replace('/x', '')",
        "df[df['unit'] == '/x']",
        "df['/x']",
        "plt.title('/x')",
        "'/x'",
        "print('/x')",
    ],
)
def test_text_that_nothing_opens_is_no_path(code: str) -> None:
    assert "/x" not in opened_paths([code])


@pytest.mark.parametrize(
    "code",
    [
        "pd.read_csv('/x')",
        "pd.read_csv(filepath_or_buffer='/x')",
        "pl.scan_parquet('/x')",
        "P = '/x'\npd.read_csv(P)",
        "for p in ['/x']:\n    pd.read_csv(p)",
        "D = {'a': '/x'}\nopen(D['a'])",
        "def get(p):\n    return open(p)\nget('/x')",
        "def get(q=1):\n    return open(q)\nget(q='/x')",
        "def get(p='/x'):\n    return open(p)",
        "from pandas import read_csv as rc\nrc('/x')",
        "rc = pd.read_csv\nrc('/x')",
        "subprocess.run(['cat', '/x'])",
        "os.stat('/x')",
        "exec('/x')",
        "f()('/x')",
        "list(map(open, ('/x',)))",
        "print('/x')\nopen('/x')",
        "a, b = '/x', 1",
        "%%bash\ncat /x",
        "!cat /x",
    ],
)
def test_text_that_something_may_open_is_a_path(code: str) -> None:
    assert "/x" in opened_paths([code])
