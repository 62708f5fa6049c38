from __future__ import annotations

from tests.fixing.rules.executed.case import Case

VISION = """
import torch
from PIL import Image
from torchvision import transforms
import torchvision.transforms.functional as F
image = Image.linear_gradient('L').resize((64, 64))
tensor = F.to_tensor(image)
"""

LOUD: list[Case] = [
    Case(
        "torchvision-scale", VISION, "result = transforms.Scale(8)(image).size", "result == (8, 8)"
    ),
    Case(
        "torchvision-random-sized-crop",
        VISION,
        "result = transforms.RandomSizedCrop(8)(image).size",
        "result == (8, 8)",
    ),
    Case(
        "torchvision-resample",
        VISION,
        "result = transforms.RandomRotation(5, resample=False)(image).size",
        "result == (64, 64)",
    ),
    Case(
        "torchvision-functional-tensor",
        "",
        "from torchvision.transforms.functional_tensor import rgb_to_grayscale",
    ),
]
SILENT: list[Case] = [
    Case(
        "torchvision-pin-antialias",
        VISION,
        "steps = transforms.Compose([transforms.ToTensor(), transforms.Resize(7)])\n"
        "result = steps(image)",
        "torch.equal(result, F.resize(tensor, 7, antialias=False))",
    ),
]
