import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays

SETUP = (
    "import torch.nn as nn\nfrom torchvision import transforms\n"
    "import torchvision.transforms.functional as F\n"
)


@pytest.mark.parametrize(
    "code",
    [
        "transforms.Compose([transforms.Resize(64), transforms.ToTensor()])",
        "steps = [transforms.Resize(64), transforms.CenterCrop(8), transforms.ToTensor()]",
        "[transforms.ToTensor(), transforms.ToPILImage(), transforms.Resize(8)]",
        "transforms.Compose([transforms.ToTensor(), transforms.Resize(8, antialias=True)])",
        "transforms.Compose([transforms.ToTensor(), transforms.Resize(8, **options)])",
        "transforms.Compose([transforms.ToTensor(), transforms.Resize(8, Image.NEAREST)])",
        "small = transforms.Resize(8)(Image.open(f))",
        "F.resize(Image.open(f), 8)",
        "F.resize(image, 8)",
    ],
)
def test_antialias_stays_where_images_are_not_evidently_tensors(code: str) -> None:
    assert_stays("torchvision-pin-antialias", code, SETUP)


@pytest.mark.parametrize(
    ("code", "new"),
    [
        (
            "transforms.Compose([transforms.ToTensor(), transforms.Resize(8)])",
            "transforms.Compose([transforms.ToTensor(), transforms.Resize(8, antialias=False)])",
        ),
        (
            "t = [transforms.ToTensor(), transforms.RandomHorizontalFlip(), transforms.Resize(8)]",
            "t = [transforms.ToTensor(), transforms.RandomHorizontalFlip(), "
            "transforms.Resize(8, antialias=False)]",
        ),
        (
            "nn.Sequential(transforms.Resize(8))",
            "nn.Sequential(transforms.Resize(8, antialias=False))",
        ),
        (
            "x = transforms.ToTensor()(image)\ny = F.resize(x, 8)",
            "x = transforms.ToTensor()(image)\ny = F.resize(x, 8, antialias=False)",
        ),
    ],
)
def test_antialias_pinned_where_images_are_tensors(code: str, new: str) -> None:
    assert_rewrites("torchvision-pin-antialias", code, new, SETUP)
