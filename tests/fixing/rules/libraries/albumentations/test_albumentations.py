import pytest

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays, cells, outcome

A = "import albumentations as A"


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("albumentations-gauss-noise", "A.GaussNoise(std_range=(0.1, 0.2))"),
        ("albumentations-gauss-noise", "A.GaussNoise(var_limit=(0, 0.01))"),
        ("albumentations-gauss-noise", "A.GaussNoise(var_limit=limits)"),
        ("albumentations-gauss-noise", "A.GaussNoise(*given)"),
        ("albumentations-gauss-noise", "[A.Normalize(), A.GaussNoise(var_limit=(10, 50))]"),
        ("albumentations-pin-gauss-noise", "A.GaussNoise(var_limit=(10, 50))"),
        ("albumentations-pin-gauss-noise", "A.GaussNoise(std_range=(0.1, 0.2))"),
        ("albumentations-coarse-dropout", "A.CoarseDropout(num_holes_range=(1, 2))"),
        ("albumentations-pin-coarse-dropout", "A.CoarseDropout(num_holes_range=(1, 2))"),
        ("albumentations-pin-coarse-dropout", "A.CoarseDropout(max_holes=2)"),
        ("albumentations-ranges", "A.ImageCompression(quality_range=(80, 100))"),
        ("albumentations-ranges", "A.Downscale(scale_min=0.2, scale_max=0.5, interpolation=1)"),
        ("albumentations-pin-border-mode", "A.Rotate(30, 1, 0)"),
        ("albumentations-pin-border-mode", "A.Rotate(30, border_mode=cv2.BORDER_CONSTANT)"),
        ("albumentations-size", "A.RandomResizedCrop(size=(8, 8))"),
        ("albumentations-size", "A.RandomResizedCrop((8, 8), scale=(0.5, 1))"),
        ("albumentations-always-apply", "A.Blur(always_apply=flag)"),
        ("albumentations-always-apply", "mine(always_apply=True)"),
        ("albumentations-flip", "mine.Flip(p=0.5)"),
        ("albumentations-flip", "A.Flip(**options)"),
        ("albumentations-iaa-noise", "A.IAAAdditiveGaussianNoise(scale=7)"),
    ],
)
def test_call_of_albumentations_stays(rule: str, code: str) -> None:
    assert_stays(rule, code, A)


@pytest.mark.parametrize(
    ("rule", "code", "new"),
    [
        (
            "albumentations-gauss-noise",
            "A.GaussNoise((0, a + b), p=0.2)",
            "A.GaussNoise(p=0.2, std_range=(0, (a + b) ** 0.5 / 255))",
        ),
        (
            "albumentations-gauss-noise",
            "A.GaussNoise(var_limit=50, mean=10)",
            "A.GaussNoise(std_range=(0, 50 ** 0.5 / 255), mean_range=(10 / 255, 10 / 255))",
        ),
        (
            "albumentations-flip",
            "A.Flip()",
            "A.OneOf([A.HorizontalFlip(p=1), A.VerticalFlip(p=1), "
            "A.Sequential([A.HorizontalFlip(p=1), A.VerticalFlip(p=1)], p=1)])",
        ),
        ("albumentations-always-apply", "A.Blur(always_apply=True, p=0.5)", "A.Blur(p=1.0)"),
        ("albumentations-always-apply", "A.Blur(3, always_apply=False)", "A.Blur(3)"),
        (
            "albumentations-fill",
            "A.Rotate(value=None, mask_value=0)",
            "A.Rotate(fill_mask=0)",
        ),
        (
            "albumentations-ranges",
            "A.ImageCompression(quality_lower=70, quality_upper=high, p=1)",
            "A.ImageCompression(p=1, quality_range=(70, high))",
        ),
        (
            "albumentations-iaa-noise",
            "A.IAAAdditiveGaussianNoise(scale=(0.01 * 255, s))",
            "A.GaussNoise(std_range=((0.01 * 255) / 255, s / 255), per_channel=False)",
        ),
    ],
)
def test_call_of_albumentations_becomes_todays(rule: str, code: str, new: str) -> None:
    assert_rewrites(rule, code, new, A)


def test_removed_transform_leaves_its_import() -> None:
    assert cells(
        "from albumentations import Compose, RandomBrightness\n"
        "t = Compose([RandomBrightness(0.1)])",
        rules=("albumentations-brightness",),
    ) == [
        "from albumentations import Compose\n"
        "from albumentations import RandomBrightnessContrast\n"
        "t = Compose([RandomBrightnessContrast(brightness_limit=0.1, contrast_limit=0)])"
    ]


def test_removed_transform_of_star_import_needs_no_import() -> None:
    (cell,) = cells(
        "from albumentations import *\nt = [Flip(p=0.5), Blur()]", rules=("albumentations-flip",)
    )
    assert cell.startswith("from albumentations import *\nt = [OneOf([HorizontalFlip(p=1),")
    assert "import OneOf" not in cell


def test_noise_remark_says_what_is_not_the_same() -> None:
    seen = outcome(A, "A.GaussNoise(var_limit=(10, 50))", rules=("albumentations-gauss-noise",))
    assert any("variance" in remark for remark in seen.remarks)
