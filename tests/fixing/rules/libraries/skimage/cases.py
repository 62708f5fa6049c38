from __future__ import annotations

from tests.fixing.rules.executed.case import Case

ARRAY = "import numpy as np\na = np.zeros((8, 8))\nc = np.zeros((8, 8, 3))\n"

LOUD: list[Case] = [
    Case("skimage-data-imread", "", "from skimage.data import imread", "callable(imread)"),
    Case(
        "skimage-compare",
        ARRAY,
        "from skimage.measure import compare_ssim\nresult = compare_ssim(a, a, data_range=1)",
        "result == 1",
    ),
    Case(
        "skimage-watershed",
        "",
        "from skimage.morphology import watershed, disk",
        "disk(1).sum() == 5 and watershed(disk(1), disk(1)).max() == 1",
    ),
    Case(
        "skimage-multichannel",
        ARRAY + "from skimage.transform import rescale\n",
        "result = rescale(c, 0.5, multichannel=True)",
        "result.shape == (4, 4, 3)",
    ),
    Case(
        "skimage-greyco",
        "",
        "from skimage.feature import greycomatrix, greycoprops",
        "greycoprops(greycomatrix([[0, 0], [0, 0]], [1], [0], levels=2), 'energy')[0, 0] == 1",
    ),
    Case(
        "skimage-draw-circle",
        "from skimage import draw\n",
        "r, c = draw.circle(2, 2, 2)",
        "len(r) == len(c)",
    ),
    Case(
        "skimage-selem",
        ARRAY + "from skimage.morphology import dilation, disk\n",
        "r = dilation(a, selem=disk(1))",
        "r.shape == (8, 8)",
    ),
    Case(
        "skimage-label-neighbors",
        ARRAY + "from skimage.measure import label\n",
        "r = label(a.astype(int), neighbors=8)",
        "r.max() == 0",
    ),
    Case(
        "skimage-filter-module",
        "",
        "from skimage.filter import gaussian",
        "gaussian(__import__('numpy').ones((3, 3)), 1).shape == (3, 3)",
    ),
    Case(
        "skimage-canny-corner",
        "",
        "from skimage.filters import canny",
        "canny(__import__('numpy').zeros((5, 5))).sum() == 0",
    ),
    Case(
        "skimage-threshold-adaptive",
        ARRAY + "from skimage import filters\n",
        "result = filters.threshold_adaptive(a, 3)",
        "result.dtype == bool",
    ),
]

SILENT: list[Case] = [
    Case(
        "skimage-pin-resize",
        "import numpy as np\nfrom skimage.transform import resize\n",
        "result = resize(np.eye(8), (4, 4)).round(3).max()",
        "result == 0.5",
    ),
    Case(
        "skimage-pin-resize",
        "import numpy as np\nfrom skimage.transform import resize\n",
        "result = resize(np.eye(4), (8, 8))[0, 0]",
        "result == 0.75**2",
    ),
]
