from __future__ import annotations

from tests.fixing.rules.executed.case import DATA, Case

SP = """
import numpy as np
import scipy
from scipy import integrate, linalg, signal, stats
"""
SPARSE = "from scipy.sparse import csr_matrix\nm = csr_matrix([[1, 2]])\n"
PICTURE = """
import numpy as np
from PIL import Image
a = np.arange(48, dtype='uint8').reshape(4, 4, 3)
Image.fromarray(a).save('x.png')
"""

LOUD: list[Case] = [
    Case("scipy-misc-functions", DATA, "from scipy.misc import comb", "comb(3, 1) == 3"),
    Case(
        "scipy-numpy-names", DATA, "from scipy import interp", "interp(1.5, [1, 2], [1, 2]) == 1.5"
    ),
    Case("scipy-numpy-names", "import scipy", "result = scipy.mean([1, 3])", "result == 2"),
    Case("scipy-numpy-names", "import scipy", "result = scipy.sqrt(-4)", "result == 2j"),
    Case(
        "scipy-numpy-names",
        "",
        "from scipy import log10, power",
        "log10(-1) and power(2, -1) == 0.5",
    ),
    Case(
        "scipy-sparse-a",
        "from scipy.sparse import csr_matrix",
        "result = csr_matrix([[1]]).A",
        "result.tolist() == [[1]]",
    ),
    Case("scipy-numpy-names", "", "from scipy import pi, log1p, stats", "round(pi, 2) == 3.14"),
    Case("scipy-numpy-names", "import scipy as sp", "result = sp.inf", "result > 1e300"),
    Case(
        "scipy-numpy-names",
        "import scipy as sp\n",
        "result = [sp.Inf, sp.cosh(0.0), sp.shape([1, 2])]",
        "result == [float('inf'), 1, (2,)]",
    ),
    Case("scipy-integrate-names", SP, "result = integrate.trapz([1, 2])", "result == 1.5"),
    Case(
        "scipy-integrate-names",
        "",
        "from scipy.integrate import cumtrapz",
        "cumtrapz([1, 2, 3]).tolist() == [1.5, 4]",
    ),
    Case(
        "scipy-signal-windows",
        "",
        "from scipy.signal import gaussian, butter",
        "gaussian(3, 1)[1] == 1",
    ),
    Case("scipy-signal-windows", SP, "result = signal.hann(3)", "result[1] == 1"),
    Case(
        "scipy-linalg-triangles",
        "",
        "from scipy.linalg import triu, norm",
        "triu([[1, 2], [3, 4]]).sum() == 7",
    ),
    Case("scipy-pinv2", SP, "result = linalg.pinv2(np.eye(2))", "result[0, 0] == 1"),
    Case(
        "scipy-fft-function",
        "from scipy import fft\n",
        "result = fft([1, 2])",
        "result[0] == 3",
    ),
    Case(
        "scipy-binom-test",
        SP,
        "result = stats.binom_test(3, 10, 0.5)",
        "round(result, 6) == 0.34375",
    ),
    Case(
        "scipy-binom-test",
        "",
        "from scipy.stats import binom_test, norm\nresult = binom_test(3, n=10)",
        "round(result, 6) == 0.34375",
    ),
    Case(
        "scipy-itemfreq",
        SP,
        "result = stats.itemfreq([3, 3, 1])",
        "result.tolist() == [[1, 1], [3, 2]]",
    ),
    Case("scipy-stats-nan", "", "from scipy.stats import nanmean", "nanmean([1, 3]) == 2"),
    Case(
        "scipy-stats-nan",
        SP,
        "result = stats.nanmean([[1, 2], [3, 4]])",
        "result.tolist() == [2, 3]",
    ),
    Case("scipy-chisqprob", SP, "result = stats.chisqprob(3.84, 1)", "round(result, 2) == 0.05"),
    Case("scipy-chisqprob", "", "from scipy.stats import chisqprob", "chisqprob(0, 1) == 1"),
    Case(
        "scipy-median-absolute-deviation",
        SP,
        "result = stats.median_absolute_deviation([1, 2, 3, 4, 100])",
        "round(result, 3) == 1.483",
    ),
    Case("scipy-frechet", "", "from scipy.stats import frechet_r", "frechet_r(1).cdf(0) == 0"),
    Case("scipy-stats-trapz", "", "from scipy.stats import trapz", "trapz(.2, .8).cdf(1) == 1"),
    Case(
        "scipy-interval-alpha",
        SP,
        "result = stats.norm.interval(alpha=0.95)",
        "round(result[1], 2) == 1.96",
    ),
    Case("scipy-moment-n", SP, "result = stats.norm.moment(n=2)", "round(result, 6) == 1"),
    Case(
        "scipy-kendalltau-lexsort",
        SP,
        "result = stats.kendalltau([1, 2, 3], [1, 3, 2], initial_lexsort=True)[0]",
        "round(result, 6) == 0.333333",
    ),
    Case("scipy-iqr-raw", SP, "result = stats.iqr([1, 2, 3, 4], scale='raw')", "result == 1.5"),
    Case(
        "scipy-linregress-one",
        SP,
        "stats.linregress(np.array([[1, 2], [2, 3], [3, 5]]))",
        fix=False,
    ),
    Case(
        "scipy-ttest-random-state", SP, "stats.ttest_ind([1, 2], [2, 3], random_state=0)", fix=False
    ),
    Case("scipy-chisquare-sums", SP, "stats.chisquare([1, 2], [1, 3])", fix=False),
    Case(
        "scipy-mode-text",
        SP,
        "result = stats.mode(np.array(['b', 'a', 'a']))[0][0]",
        "result == 'a'",
    ),
    Case(
        "scipy-mode-text",
        SP + "import pandas as pd\ns = pd.Series(['b', None, 'b'])\n",
        "result = s.fillna(stats.mode(s.dropna()).mode[0])",
        "list(result) == ['b'] * 3",
    ),
    Case(
        "scipy-singular-covariance",
        SP,
        "stats.multivariate_normal([0, 0], [[1, 1], [1, 1]])",
        fix=False,
    ),
    Case(
        "scipy-quadrature",
        SP,
        "result = integrate.romberg(lambda x: x, 0, 2)",
        "round(result, 6) == 2",
    ),
    Case(
        "scipy-interpolate-spline",
        "import numpy as np\n",
        "from scipy.interpolate import spline\nx = np.arange(5)\nresult = spline(x, x ** 3, [2.5])",
        "round(float(result[0]), 6) == 15.625",
    ),
    Case(
        "scipy-interp2d",
        "from scipy.interpolate import interp2d\n",
        "interp2d([0, 1], [0, 1], [[0, 1], [1, 2]])",
        fix=False,
    ),
    Case("scipy-wavelets", "", "from scipy.signal import cwt", fix=False),
    Case(
        "scipy-signal-lsim2",
        "",
        "from scipy.signal import lsim2",
        "callable(lsim2)",
    ),
    Case(
        "scipy-firwin-nyq",
        SP,
        "result = signal.firwin(3, 5, nyq=10.)",
        "round(result.sum(), 6) == 1",
    ),
    Case("scipy-kron", "", "from scipy.linalg import kron", "kron"),
    Case(
        "scipy-eigh-eigvals",
        SP,
        "result = linalg.eigh(np.eye(3), eigvals=(0, 1))[0]",
        "len(result) == 2",
    ),
    Case("scipy-pinv-rcond", SP, "result = linalg.pinv(np.eye(2), rcond=1e-5)", "result[0, 0]"),
    Case(
        "scipy-solve-sym-pos",
        SP,
        "result = linalg.solve(np.eye(2), [1, 2], sym_pos=True)",
        "result.tolist() == [1, 2]",
    ),
    Case(
        "scipy-comb-positional",
        "from scipy.special import comb\n",
        "result = comb(5, 2, True)",
        "result == 10",
    ),
    Case(
        "scipy-factorial-float",
        "from scipy.special import factorial\n",
        "factorial(5.0, exact=True)",
        fix=False,
    ),
    Case("scipy-special-removed", "", "from scipy.special import btdtr", "btdtr(1, 1, .5) == .5"),
    Case(
        "scipy-sparse-arpack",
        "",
        "from scipy.sparse.linalg.eigen.arpack import eigsh",
        "eigsh(__import__('numpy').diag([1.0, 2.0, 3.0]), k=1)[0].round(6).tolist() == [3.0]",
    ),
    Case("scipy-sparse-h", SPARSE, "result = m.H", "result.shape == (2, 1)"),
    Case(
        "scipy-sparse-objects",
        "import numpy as np\n" + SPARSE,
        "csr_matrix(np.array([[1, 'a']], dtype=object))",
        fix=False,
    ),
    Case(
        "scipy-distances",
        "",
        "from scipy.spatial.distance import matching",
        "matching([0, 1], [1, 1]) == 0.5",
    ),
    Case(
        "scipy-wminkowski",
        "",
        "from scipy.spatial.distance import wminkowski\n"
        "result = wminkowski([0, 0], [1, 1], 2, [2, 1])",
        "round(result ** 2, 6) == 5",
    ),
    Case(
        "scipy-distance-one-dimension",
        "from scipy.spatial.distance import cosine\n",
        "cosine([[1, 2]], [[2, 3]])",
        fix=False,
    ),
    Case(
        "scipy-rotation-dcm",
        "from scipy.spatial.transform import Rotation\n",
        "result = Rotation.from_quat([0, 0, 0, 1]).as_dcm()",
        "result[0, 0] == 1",
    ),
    Case(
        "scipy-rotation-dcm",
        "from scipy.spatial.transform import Rotation\n",
        "result = Rotation.from_dcm([[1, 0, 0], [0, 1, 0], [0, 0, 1]])",
    ),
    Case("scipy-misc-datasets", "", "from scipy.misc import face"),
    Case("scipy-misc-derivative", "", "from scipy.misc import derivative", fix=False),
    Case(
        "scipy-misc-imread",
        PICTURE,
        "from scipy.misc import imread, imresize, imsave\n"
        "result = imresize(imread('x.png'), (2, 3))",
        "result.shape == (2, 3, 3) and result.dtype == 'uint8'",
    ),
    Case(
        "scipy-misc-imread",
        PICTURE + "import scipy.misc\n",
        "result = scipy.misc.imread('x.png')",
        "(result == a).all()",
    ),
    Case(
        "scipy-misc-imread",
        PICTURE,
        "from scipy.misc import imresize\nresult = imresize(a[:, :, 0] / 9., 50)",
        "result.tolist() == [[51, 85], [187, 221]] or result.shape == (2, 2)",
    ),
    Case(
        "scipy-misc-imread",
        "import numpy as np\n",
        "from scipy.misc import imresize\n"
        "result = imresize(np.array([[1., 2.], [4., 800.]]), 1.0, mode='F')",
        "result.tolist() == [[1, 2], [4, 800]] and result.dtype == 'float32'",
    ),
    Case(
        "scipy-misc-imread",
        "import numpy as np\nimport scipy.misc\n",
        "result = scipy.misc.toimage(np.array([[0., 2.], [4., 8.]]), cmin=0.0)",
        "list(result.getdata()) == [0, 64, 128, 255] and result.mode == 'L'",
    ),
    Case(
        "scipy-misc-imread",
        "import numpy as np\n",
        "from scipy.misc import toimage\nresult = toimage(np.arange(24).reshape(3, 2, 4))",
        "result.size == (4, 2) and result.mode == 'RGB' and result.getpixel((3, 1))[2] == 255",
    ),
]

SILENT: list[Case] = [
    Case(
        "scipy-pin-wilcoxon",
        "import numpy as np\nfrom scipy import stats\na = np.arange(8) + 0.3\n",
        "result = stats.wilcoxon(a, a[::-1] * 1.1)[1]",
        "round(result, 6) == 0.779435",
    ),
    Case(
        "scipy-stats-mode",
        "import numpy as np\nfrom scipy import stats",
        "result = stats.mode(np.array([[1, 1], [1, 2]]))[0][0]",
        "np.ravel(result).tolist() == [1, 1]",
    ),
    Case(
        "scipy-stats-mode",
        "import numpy as np\nfrom scipy import stats",
        "result = np.shape(stats.mode([1, 2, 2])[0])\nn = int(stats.mode([1, 2, 2]).mode)",
        "result == (1,) and n == 2",
    ),
    Case(
        "scipy-stats-mode",
        "import numpy as np\nimport pandas as pd\nfrom scipy import stats\n"
        "ages = pd.Series([4.0, np.nan, np.nan])",
        "result = stats.mode(ages).mode",
        "result.tolist() == [4]",
    ),
    Case(
        "scipy-mannwhitneyu-sides",
        SP,
        "result = stats.mannwhitneyu([1, 2, 3], [4, 5, 6])[1]",
        "round(result, 4) == 0.0404",
        fix=False,
    ),
]
