from __future__ import annotations

from tests.fixing.rules.executed.case import FRAME, Case

NP = """
import io
import math
import numpy as np
"""

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
    Case(
        "numpy-in1d",
        FRAME + "table = np.array([[1, 2], [3, 4]])\n",
        "result = np.where(np.in1d(table, [2, 3]))[0]",
        "list(result) == [1, 2]",
    ),
    Case("numpy-trapz", FRAME, "result = np.trapz([1, 2])", "result == 1.5"),
    Case("numpy-warnings", FRAME, "np.warnings.filterwarnings('ignore')"),
    Case("numpy-asscalar", FRAME, "result = np.asscalar(np.array([4]))", "result == 4"),
    Case("numpy-asfarray", FRAME, "result = np.asfarray([1])", "result.dtype == float"),
    Case(
        "numpy-histogram-normed",
        FRAME,
        "result = np.histogram([1, 2], normed=True)[0].sum()",
        "round(result) == 10",
    ),
    Case(
        "numpy-percentile-interpolation",
        FRAME,
        "result = np.percentile([1, 2], 50, interpolation='nearest')",
        "result in (1, 2)",
    ),
    Case(
        "numpy-load-pickle",
        NP + "np.save('x.npy', np.array([{'a': 1}], dtype=object))\n",
        "result = np.load('x.npy')",
        "result[0] == {'a': 1}",
    ),
    Case("numpy-2-constants", NP, "result = np.NINF", "result == -np.inf"),
    Case("numpy-2-constants", NP, "result = np.NaN", "result != result"),
    Case("numpy-2-functions", NP, "result = np.product([2, 3])", "result == 6"),
    Case("numpy-2-functions", NP, "result = np.alltrue([1, 0])", "not result"),
    Case("numpy-math", NP, "result = np.math.factorial(4)", "result == 24"),
    Case("numpy-lib-pad", NP, "result = np.lib.pad([1], 1, 'constant')", "len(result) == 3"),
    Case("numpy-lib-pad", "", "from numpy.linalg.linalg import norm", "norm([3, 4]) == 5"),
    Case("numpy-array-of-lists", NP, "result = np.array([[1], [1, 2]])", "result.shape == (2,)"),
    Case("numpy-float-of-array", NP, "result = float(np.array([1.5]))", "result == 1.5"),
    *(
        Case("numpy-float-counts", NP, f"n = 7 / 2\nresult = {code}", "len(result) == 3")
        for code in (
            "np.linspace(0, 1, n)",
            "np.linspace(0, 1, 7 / 2)",
            "np.logspace(0, 1, num=3.)",
            "np.linspace(0, 1, np.floor(3.4))",
        )
    ),
    *(
        Case("numpy-float-of-dimensions", NP, f"result = {code}", "result == 1")
        for code in (
            "int(np.where(np.array([3, 4]) == 4)[0])",
            "float(np.argwhere(np.array([3, 4]) == 4))",
            "math.sqrt(np.nonzero([0, 1])[0])",
        )
    ),
    Case(
        "numpy-float-of-dimensions",
        "import pandas as pd\ndf = pd.DataFrame({'a': ['x', 'y'], 'b': [1, 2]})\n",
        "result = int(df[df['a'] == 'x']['b'].values)",
        "result == 1",
    ),
    Case(
        "numpy-float-of-dimensions",
        "import pandas as pd\ndf = pd.DataFrame({'a': ['x', 'y'], 'b': [1, 2]})\n",
        "found = df.loc[df['a'] == 'x', 'b'].unique()\nresult = float(found)",
        "result == 1",
    ),
    Case("numpy-float-of-array", NP, "result = '%.2f' % np.array([1.5])", "result == '1.50'"),
    Case("numpy-float-of-array", NP, "result = math.sqrt(np.array([[4.]]))", "result == 2"),
    Case(
        "numpy-histogram-normed",
        NP,
        "result = np.histogram2d([1, 2], [1, 2], normed=True)",
        "result[0].shape == (10, 10)",
    ),
    Case("numpy-warning-classes", NP, "result = np.VisibleDeprecationWarning", "result.__name__"),
    Case("numpy-warning-classes", "", "from numpy import ComplexWarning"),
    Case("numpy-cast", NP, "result = np.cast['float32']([1])", "result.dtype == 'float32'"),
    Case("numpy-cast", NP, "result = np.nbytes[np.float32]", "result == 4"),
    Case("numpy-type-questions", NP, "result = np.sctype2char(np.int32)", "result == 'i'"),
    Case(
        "numpy-find-common-type",
        NP,
        "result = np.find_common_type([np.int8, np.float32], [])",
        "result == 'float32'",
    ),
    Case("numpy-safe-eval", NP, "result = np.safe_eval('[1]')", "result == [1]"),
    Case(
        "numpy-moved-helpers",
        NP,
        "result = np.byte_bounds(np.arange(3))",
        "len(result) == 2",
        differs="an address in memory",
    ),
    Case("numpy-recfromcsv", NP, "np.recfromcsv(io.StringIO('a\\n1'))", fix=False),
    Case("numpy-interactive-help", NP, "np.lookfor('a')", fix=False),
    Case("numpy-disp", NP, "np.disp('a')"),
    Case("numpy-array-ptp", NP, "result = np.array([1, 4]).ptp()", "result == 3"),
    Case("numpy-array-ptp", NP + "a = np.eye(2)\n", "result = a.ptp(axis=0)", "result[0] == 1"),
    Case("numpy-itemset", NP + "a = np.zeros((2, 2))\n", "a.itemset((0, 1), 3)", "a[0, 1] == 3"),
    Case("numpy-itemset", NP + "a = np.zeros((2, 2))\n", "a.itemset(2, 3)", "a[1, 0] == 3"),
    Case("numpy-newbyteorder", NP, "result = np.array([1]).newbyteorder()", "result[0] > 1"),
    Case("numpy-tostring", NP, "result = np.zeros(1).tostring()", "result == bytes(8)"),
    Case(
        "numpy-fromstring",
        NP,
        "result = np.fromstring(b'\\x01\\x02', dtype=np.uint8)",
        "result.tolist() == [1, 2] and result.flags.writeable",
    ),
    Case(
        "numpy-type-names", NP, "result = np.array([1]).astype('float_')", "result.dtype == float"
    ),
    Case("numpy-type-names", NP, "result = np.zeros(2, dtype='bool8')", "result.dtype == bool"),
    Case(
        "numpy-numeric-type-names",
        NP,
        "result = np.frombuffer(b'\\1\\0\\2\\0', 'Int16')",
        "result.tolist() == [1, 2]",
    ),
    Case("numpy-typedict", NP, "result = np.typeDict['float64']", "result is np.float64"),
    Case("numpy-typedict", NP, "result = np.alen([1, 2])", "result == 2"),
    Case("numpy-financial", NP, "np.npv(0.1, [1, 2])", fix=False),
    Case(
        "numpy-umath-tests",
        "import numpy as np\n",
        "from numpy.core.umath_tests import inner1d\nresult = inner1d([[1, 2]], [[3, 4]])",
        "result.tolist() == [11]",
        never_worked="numpy 1.26 has the module, but it does not load there",
    ),
    Case(
        "numpy-testing-utils",
        "",
        "from numpy.testing.utils import assert_allclose",
        "assert_allclose([1.0], [1.0]) is None",
    ),
    Case("numpy-compat", "", "from numpy.compat import long", "long(3.5) == 3"),
    Case(
        "numpy-reshape-newshape",
        NP,
        "result = np.reshape([1, 2], newshape=(2, 1))",
        "result.shape == (2, 1)",
    ),
    Case(
        "numpy-corrcoef-arguments",
        NP,
        "result = np.corrcoef([1, 2], [1, 2], bias=1)",
        "result.shape == (2, 2)",
    ),
    Case(
        "numpy-save-fix-imports",
        NP,
        "np.save('x', np.arange(2), fix_imports=True)",
        "np.load('x.npy').tolist() == [0, 1]",
    ),
    Case(
        "numpy-unravel-index-dims",
        NP,
        "result = np.unravel_index(3, dims=(2, 2))",
        "tuple(result) == (1, 1)",
    ),
    Case(
        "numpy-array-copy-false",
        NP,
        "result = np.array([1, 2], copy=False)",
        "result.tolist() == [1, 2]",
    ),
    Case("numpy-print-threshold", NP, "np.set_printoptions(threshold=np.nan)"),
    Case(
        "numpy-stack-generators",
        NP,
        "result = np.vstack(np.array([i]) for i in range(3))",
        "result.shape == (3, 1)",
    ),
    Case(
        "numpy-stack-generators",
        NP,
        "result = np.hstack(map(np.atleast_1d, [1, 2]))",
        "result.tolist() == [1, 2]",
    ),
    Case("numpy-sum-generator", NP, "result = np.sum(i for i in range(3))", "result == 3"),
    Case(
        "numpy-sum-generator",
        NP,
        "result = np.sum(np.array([i, 2 * i]) for i in range(3))",
        "list(result) == [3, 6]",
    ),
    Case("numpy-boolean-minus", NP, "-np.array([True])", fix=False),
    Case("numpy-promotion-overflow", NP, "np.uint8(200) + 300", fix=False),
    Case("numpy-float-sizes", NP, "result = np.zeros(5 / 2).shape", "result == (2,)"),
    Case(
        "numpy-float-sizes",
        NP,
        "n = (4 - 1) / 0.5\nresult = len(np.linspace(1, 4, n))",
        "result == 6",
        line=2,
    ),
    Case(
        "numpy-float-sizes",
        NP,
        "x = np.arange(6)\nresult = x[6 / 2:]",
        "result.tolist() == [3, 4, 5]",
        line=2,
    ),
    Case(
        "numpy-float-sizes",
        NP,
        "result = np.arange(6).reshape(6 / 2, 2).shape",
        "result == (3, 2)",
    ),
    Case("numpy-boolean-index-length", NP, "np.arange(3)[np.array([True, False])]", fix=False),
    Case("numpy-delete-bounds", NP, "np.delete(np.arange(3), 5)", fix=False),
    Case("numpy-comparison-shapes", NP, "np.array([1, 2]) == np.array([1, 2, 3])", fix=False),
    Case("numpy-empty-truth", NP, "bool(np.array([]))", fix=False),
    Case("numpy-nonzero-scalar", NP, "np.nonzero(np.array(1))", fix=False),
    Case("numpy-select-conditions", NP, "np.select([np.array([1, 0])], [1])", fix=False),
    Case("numpy-expand-dims-range", NP, "np.expand_dims(np.arange(3), 5)", fix=False),
    Case("numpy-clip-casting", NP, "a = np.arange(3)\na += 0.5", line=2, fix=False),
    Case("numpy-object-ufunc", NP, "np.log(np.array([1, 2], dtype=object))", fix=False),
    Case("numpy-out-of-bound-integers", NP, "np.array([300], dtype=np.uint8)", fix=False),
]

SILENT: list[Case] = [
    Case(
        "numpy-lstsq-rcond",
        NP + "a = np.array([[1., 1.], [1., 1 + 1e-15]])\n",
        "result = np.linalg.lstsq(a, np.array([1., 2.]))[2]",
        "result == 2",
    ),
    Case(
        "numpy-scalar-repr",
        NP.lstrip() + "a = np.array([0.5])\n",
        "result = str(list(a))",
        "result == '[0.5]'",
    ),
    Case(
        "numpy-promotion-overflow", NP, "result = np.uint8(200) + 100", "result == 300", fix=False
    ),
    Case(
        "numpy-promotion-float32",
        NP,
        "result = (np.float32(3) + 3.).dtype",
        "result == 'float64'",
        fix=False,
    ),
    Case(
        "numpy-unique-inverse",
        NP,
        "result = np.unique(np.eye(2), return_inverse=True)[1].shape",
        "result == (4,)",
        fix=False,
    ),
]
