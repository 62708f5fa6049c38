from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, Case

LOUD: list[Case] = [
    Case("scipy-misc-functions", DATA, "from scipy.misc import comb", "comb(3, 1) == 3"),
    Case(
        "scipy-numpy-names", DATA, "from scipy import interp", "interp(1.5, [1, 2], [1, 2]) == 1.5"
    ),
    Case("scipy-numpy-names", "import scipy", "result = scipy.mean([1, 3])", "result == 2"),
    Case("scipy-sparse-a", "from scipy.sparse import csr_matrix", "result = csr_matrix([[1]]).A"),
    Case("python-collections-abc", "import collections", "result = collections.Mapping"),
    Case(
        "python-collections-abc", "", "from collections import Mapping, OrderedDict", "OrderedDict"
    ),
    Case("python-time-clock", "import time", "result = time.clock()"),
    Case("python-fractions-gcd", "", "from fractions import gcd", "gcd(4, 6) == 2"),
    Case("ipython-core-display", "", "from IPython.core.display import display, HTML"),
    Case("ipython-matplotlib-formats", "", "from IPython.display import set_matplotlib_formats"),
]

SILENT: list[Case] = [
    Case(
        "scipy-stats-mode",
        "import numpy as np\nfrom scipy import stats",
        "result = stats.mode(np.array([[1, 1], [1, 2]]))[0][0]",
        "np.ravel(result).tolist() == [1, 1]",
    ),
]
