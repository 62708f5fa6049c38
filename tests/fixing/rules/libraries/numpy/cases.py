from __future__ import annotations

from tests.fixing.rules.executed.case import FRAME, Case

LOUD: list[Case] = [
    Case("numpy-old-functions", FRAME, "result = np.msort([2, 1])", "list(result) == [1, 2]"),
    Case("numpy-rank", FRAME, "result = np.rank([2, 1])", "result == 1"),
    Case("numpy-builtin-aliases", FRAME, "result = np.int(3.7)", "result == 3"),
    Case(
        "numpy-builtin-aliases", FRAME, "result = df['a'].astype(np.float).dtype", "result == float"
    ),
    Case("numpy-2-names", FRAME, "result = np.float_(3)", "result == 3"),
    Case(
        "numpy-2-constants", FRAME, "result = df.replace(1, np.NaN)", "result.a.isna().sum() == 1"
    ),
    Case("numpy-in1d", FRAME, "result = np.in1d([1, 2], [2])", "list(result) == [False, True]"),
    Case("numpy-trapz", FRAME, "result = np.trapz([1, 2])", "result == 1.5"),
    Case("numpy-warnings", FRAME, "np.warnings.filterwarnings('ignore')"),
    Case("numpy-asscalar", FRAME, "result = np.asscalar(np.array([4]))", "result == 4"),
    Case("numpy-asfarray", FRAME, "result = np.asfarray([1])", "result.dtype == float"),
    Case("numpy-histogram-normed", FRAME, "result = np.histogram([1, 2], normed=True)[0].sum()"),
    Case(
        "numpy-percentile-interpolation",
        FRAME,
        "result = np.percentile([1, 2], 50, interpolation='nearest')",
    ),
]

SILENT: list[Case] = []
