from __future__ import annotations

from tests.fixing.rules.executed.case import Case

A = """
import albumentations as A
import numpy as np
image = np.full((64, 64, 3), 128, 'uint8')
"""
TRY = "\nresult = type(t).__name__, t(image=image)['image'].shape"
RAN = "result[1] == (64, 64, 3)"

LOUD: list[Case] = [
    Case("albumentations-modules", A, "from albumentations.augmentations.transforms import Blur"),
    Case("albumentations-iaa", A, "t = A.IAASharpen(p=1)" + TRY, RAN),
    Case("albumentations-iaa", A, "t = A.IAAPiecewiseAffine(p=1)" + TRY, RAN),
    Case(
        "albumentations-iaa-noise",
        A,
        "t = A.IAAAdditiveGaussianNoise(scale=(2.55, 12.75), p=1)" + TRY,
        "np.allclose(t.std_range, (0.01, 0.05)) and not t.per_channel",
    ),
    Case(
        "albumentations-cutout",
        A,
        "t = A.Cutout(4, 6, 6, p=1)" + TRY,
        "t.num_holes_range == (4, 4) and t.hole_width_range == (6, 6) and t.p == 1",
    ),
    Case("albumentations-flip", A, "t = A.Compose([A.Flip(p=1)])" + TRY, RAN),
    Case("albumentations-flip", A, "from albumentations import Flip\nt = Flip(p=1)" + TRY, RAN),
    Case(
        "albumentations-brightness",
        A,
        "t = A.RandomContrast(0.1, p=1)" + TRY,
        "t.contrast_limit == (-0.1, 0.1) and t.brightness_limit == (0, 0)",
    ),
    Case(
        "albumentations-jpeg",
        A,
        "t = A.JpegCompression(80, 90, p=1)" + TRY,
        "t.quality_range == (80, 90)",
    ),
    Case(
        "albumentations-size",
        A,
        "t = A.RandomResizedCrop(32, 48)" + TRY,
        "result[1] == (32, 48, 3)",
    ),
    Case(
        "albumentations-size",
        A,
        "t = A.RandomSizedCrop(min_max_height=(20, 30), height=32, width=48)" + TRY,
        "result[1] == (32, 48, 3)",
    ),
]
SILENT: list[Case] = [
    Case(
        "albumentations-gauss-noise",
        A,
        "t = A.GaussNoise(var_limit=(10, 50), mean=0, p=1)",
        "np.allclose(np.array(t.std_range) * 255, (10 ** 0.5, 50 ** 0.5))",
    ),
    Case("albumentations-pin-gauss-noise", A, "t = A.GaussNoise(p=1)", "t.std_range[1] < 0.03"),
    Case(
        "albumentations-coarse-dropout",
        A,
        "t = A.CoarseDropout(max_holes=3, max_height=9, max_width=7, min_holes=2, fill_value=5)",
        "(t.num_holes_range, t.hole_height_range, t.hole_width_range, t.fill) "
        "== ((2, 3), (9, 9), (7, 7), 5)",
    ),
    Case(
        "albumentations-pin-coarse-dropout",
        A,
        "t = A.CoarseDropout(p=0.5)",
        "t.num_holes_range == t.hole_width_range == (8, 8)",
    ),
    Case(
        "albumentations-ranges",
        A,
        "t = A.ImageCompression(quality_lower=60, p=1)",
        "t.quality_range == (60, 100)",
    ),
    Case(
        "albumentations-ranges",
        A,
        "t = A.RandomSunFlare(num_flare_circles_lower=2, num_flare_circles_upper=3)",
        "t.num_flare_circles_range == (2, 3)",
    ),
    Case(
        "albumentations-ranges",
        A,
        "t = A.Downscale(scale_min=0.5, scale_max=0.75)",
        "t.scale_range == (0.5, 0.75)",
    ),
    Case(
        "albumentations-ranges",
        A,
        "t = A.RandomFog(fog_coef_lower=0.1, fog_coef_upper=0.2)",
        "t.fog_coef_range == (0.1, 0.2)",
    ),
    Case(
        "albumentations-ranges",
        A,
        "t = A.RandomRain(slant_lower=-5, slant_upper=5)",
        "t.slant_range == (-5, 5)",
    ),
    Case(
        "albumentations-ranges",
        A,
        "t = A.RandomSnow(snow_point_lower=0.2, snow_point_upper=0.4)",
        "t.snow_point_range == (0.2, 0.4)",
    ),
    Case(
        "albumentations-ranges",
        A,
        "t = A.RandomShadow(num_shadows_lower=3, num_shadows_upper=4)",
        "t.num_shadows_limit == (3, 4)",
    ),
    Case(
        "albumentations-fill",
        A,
        "t = A.ShiftScaleRotate(border_mode=0, value=9, mask_value=7)",
        "(t.fill, t.fill_mask) == (9, 7)",
    ),
    Case("albumentations-fill", A, "t = A.GridDropout(fill_value=9)", "t.fill == 9"),
    Case("albumentations-fill", A, "t = A.MaskDropout(image_fill_value=9)", "t.fill == 9"),
    Case("albumentations-fill", A, "t = A.Affine(mode=4)", "t.border_mode == 4"),
    Case("albumentations-fill", A, "t = A.Perspective(pad_mode=4)", "t.border_mode == 4"),
    Case("albumentations-fill", A, "t = A.CropAndPad(px=2, pad_mode=4)", "t.border_mode == 4"),
    *(
        Case("albumentations-pin-border-mode", A, f"t = A.{name}(p=1)", "t.border_mode == 4")
        for name in (
            "ShiftScaleRotate",
            "Rotate",
            "SafeRotate",
            "ElasticTransform",
            "GridDistortion",
            "OpticalDistortion",
            "PadIfNeeded",
        )
    ),
    Case("albumentations-always-apply", A, "t = A.Blur(always_apply=True)", "t.p == 1"),
    Case(
        "albumentations-elastic-affine",
        A,
        "t = A.ElasticTransform(alpha_affine=20)",
        "hasattr(t, 'alpha_affine')",
        fix=False,
    ),
]
