from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case(
        "joblib-memory-cachedir",
        "from joblib import Memory\n",
        "result = Memory(cachedir='x')",
        "result.location == 'x'",
    ),
    Case(
        "joblib-memory-bytes-limit",
        "from joblib import Memory\n",
        "result = Memory('x', bytes_limit=10)",
        "result.location == 'x'",
    ),
    Case(
        "joblib-dump-cache-size",
        "import joblib\n",
        "result = joblib.dump([1], 'x', cache_size=1)",
        "result == ['x']",
    ),
    Case(
        "joblib-delayed-check-pickle",
        "from joblib import delayed\n",
        "result = delayed(abs, check_pickle=False)(1)",
        "result[1] == (1,)",
    ),
    Case("joblib-private", "", "from joblib.pool import has_shareable_memory", fix=False),
]

SILENT: list[Case] = []
