"""Pillow, scikit-image, OpenCV, bokeh."""

from __future__ import annotations

from tests.fixing.rules.executed.case import Case

PIL = """
import numpy as np
from PIL import Image, ImageDraw, ImageFont
im = Image.new('RGB', (4, 4))
"""
ARRAY = "import numpy as np\na = np.zeros((8, 8))\nc = np.zeros((8, 8, 3))\n"

LOUD: list[Case] = [
    Case(
        "pillow-antialias",
        PIL,
        "result = im.resize((2, 2), Image.ANTIALIAS)",
        "result.size == (2, 2)",
    ),
    Case("pillow-linear-cubic", PIL, "result = Image.LINEAR", "result == Image.BILINEAR"),
    Case(
        "pillow-textsize",
        PIL + "d = ImageDraw.Draw(im)\n",
        "w, h = d.textsize('ab')",
        "w > 0 and h > 0",
    ),
    Case(
        "pillow-getsize",
        PIL + "f = ImageFont.load_default()\n",
        "w, h = f.getsize('ab')",
        "w > 0 and h > 0",
    ),
    Case("pillow-getoffset", PIL + "f = ImageFont.load_default()\n", "x, y = f.getoffset('ab')"),
    Case("pillow-tostring", PIL, "result = len(im.tostring())", "result == 48"),
    Case("pillow-version", "", "from PIL import PILLOW_VERSION", "PILLOW_VERSION"),
    Case("pillow-getexif", PIL, "result = im._getexif()"),
    Case(
        "skimage-compare",
        ARRAY,
        "from skimage.measure import compare_ssim\nresult = compare_ssim(a, a, data_range=1)",
        "result == 1",
    ),
    Case("skimage-watershed", "", "from skimage.morphology import watershed, disk"),
    Case(
        "skimage-multichannel",
        ARRAY + "from skimage.transform import rescale\n",
        "result = rescale(c, 0.5, multichannel=True)",
        "result.shape == (4, 4, 3)",
    ),
    Case("skimage-greyco", "", "from skimage.feature import greycomatrix, greycoprops"),
    Case(
        "skimage-draw-circle",
        "from skimage import draw\n",
        "r, c = draw.circle(2, 2, 2)",
        "len(r) == len(c)",
    ),
    Case(
        "skimage-selem",
        ARRAY + "from skimage.morphology import dilation, disk\n",
        "dilation(a, selem=disk(1))",
    ),
    Case(
        "skimage-label-neighbors",
        ARRAY + "from skimage.measure import label\n",
        "label(a.astype(int), neighbors=8)",
    ),
    Case("skimage-filter-module", "", "from skimage.filter import gaussian"),
    Case("skimage-canny-corner", "", "from skimage.filters import canny"),
    Case(
        "skimage-threshold-adaptive",
        ARRAY + "from skimage import filters\n",
        "result = filters.threshold_adaptive(a, 3)",
        "result.dtype == bool",
    ),
    Case(
        "cv2-find-contours",
        ARRAY + "import cv2\n",
        "_, k, h = cv2.findContours(a.astype('uint8'), cv2.RETR_TREE, cv2.CHAIN_APPROX_SIMPLE)",
        "len(k) == 0",
    ),
    Case("cv2-constants", "import cv2\n", "result = cv2.CV_LOAD_IMAGE_GRAYSCALE", "result == 0"),
    Case("cv2-sift", "import cv2\n", "cv2.xfeatures2d.SIFT_create()"),
    Case("bokeh-factors-tools", "", "from bokeh.models.widgets import Panel, Tabs"),
    Case("bokeh-charts", "", "from bokeh.charts import Bar", fix=False),
    Case(
        "bokeh-plot-size",
        "from bokeh.plotting import figure\n",
        "p = figure(plot_width=200, plot_height=100)",
        "p.width == 200",
    ),
    Case(
        "bokeh-legend",
        "from bokeh.plotting import figure\np = figure()\n",
        "p.line([1], [1], legend='a')",
    ),
    Case("bokeh-widgetbox", "", "from bokeh.layouts import widgetbox"),
    Case(
        "missingno-inline",
        "import matplotlib\nmatplotlib.use('Agg')\nimport missingno\nimport pandas as pd\n",
        "missingno.matrix(pd.DataFrame({'a': [1, None]}), inline=False)",
    ),
]

SILENT: list[Case] = [
    Case(
        "pillow-pin-resize",
        PIL + "im = Image.fromarray(np.array([[0, 255], [255, 0]], dtype='uint8'))\n",
        "result = sorted(set(np.asarray(im.resize((4, 4))).ravel().tolist()))",
        "result == [0, 255]",
    ),
    Case(
        "skimage-pin-resize",
        "import numpy as np\nfrom skimage.transform import resize\n",
        "result = resize(np.eye(8), (4, 4)).round(3).max()",
        "result == 0.5",
    ),
]
