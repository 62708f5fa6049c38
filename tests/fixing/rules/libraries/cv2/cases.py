from __future__ import annotations

from tests.fixing.rules.executed.case import Case

ARRAY = "import numpy as np\na = np.zeros((8, 8))\nc = np.zeros((8, 8, 3))\n"

LOUD: list[Case] = [
    Case("cv2-contrib", "import cv2\n", "cv2.CascadeClassifier('face.xml')", fix=False),
    Case("cv2-contrib", "import cv2\n", "cv2.ml.SVM_create()", fix=False),
    Case(
        "cv2-find-contours",
        ARRAY + "import cv2\n",
        "_, k, h = cv2.findContours(a.astype('uint8'), cv2.RETR_TREE, cv2.CHAIN_APPROX_SIMPLE)",
        "len(k) == 0",
    ),
    Case("cv2-constants", "import cv2\n", "result = cv2.CV_LOAD_IMAGE_GRAYSCALE", "result == 0"),
    Case(
        "cv2-sift",
        "import cv2\n",
        "result = cv2.xfeatures2d.SIFT_create()",
        "result.descriptorSize() == 128",
    ),
]

SILENT: list[Case] = []
