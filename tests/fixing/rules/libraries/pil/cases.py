from __future__ import annotations

from tests.fixing.rules.executed.case import Case

PIL = """
import numpy as np
from PIL import Image, ImageDraw, ImageFont
im = Image.new('RGB', (4, 4))
"""

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
    Case(
        "pillow-getexif",
        PIL,
        "result = im._getexif()",
        "result is None or len(result) >= 0",
    ),
]

SILENT: list[Case] = [
    Case(
        "pillow-pin-resize",
        PIL + "im = Image.fromarray(np.array([[0, 255], [255, 0]], dtype='uint8'))\n",
        "result = sorted(set(np.asarray(im.resize((4, 4))).ravel().tolist()))",
        "result == [0, 255]",
    ),
]
