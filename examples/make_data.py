"""Make the example competitions out of the real data sets that scikit-learn ships.

Run: python examples/make_data.py [--root examples/data]

Each competition gets MLE-bench's prepared layout below `<root>/<slug>/`. Every run writes the
same bytes: rows are split and values are taken out by a fixed legacy `RandomState`, whose stream
NumPy keeps for ever, and floats are written with their shortest exact text.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine

DESCRIPTIONS = Path(__file__).parent / "descriptions"


@dataclass(frozen=True)
class Example:
    """One competition: the source of its rows, their split and the metric."""

    slug: str
    name: str
    metric: str
    higher_is_better: bool
    load: Callable[[], pd.DataFrame]
    label: str
    """Column of the table that is to be predicted."""
    targets: dict[str, float | int]
    """Prediction columns of a submission, with their value in the sample submission."""
    test_rows: int
    id_column: str = "Id"
    first_id: int = 1
    classes: tuple[str, ...] = ()
    probability: bool = False
    label_in_train: str = ""
    """Name of the label's column in train.csv, if it is not the one in answers.csv."""
    words_in_train: tuple[str, ...] = ()
    """Words in train.csv for the labels 0, 1, ... (empty: the labels themselves)."""


def main() -> None:
    """Write every example competition below the root folder."""
    parser = argparse.ArgumentParser(description="Make the example competitions.")
    default = Path(__file__).parent / "data"
    parser.add_argument("--root", type=Path, default=default, help="folder (default: %(default)s)")
    root: Path = parser.parse_args().root
    for example in EXAMPLES:
        write(example, root / example.slug)
        print(root / example.slug)


def write(example: Example, folder: Path) -> None:
    """Write one competition: competition.yaml, prepared/public and prepared/private."""
    public, private = folder / "prepared" / "public", folder / "prepared" / "private"
    public.mkdir(parents=True, exist_ok=True)
    private.mkdir(parents=True, exist_ok=True)
    table = example.load()
    order = np.random.RandomState(len(table)).permutation(len(table))
    table = table.iloc[order].reset_index(drop=True)
    table.insert(0, example.id_column, range(example.first_id, example.first_id + len(table)))
    train, test = table.iloc[: -example.test_rows], table.iloc[-example.test_rows :]
    sample = test[[example.id_column]].assign(**example.targets)

    if example.words_in_train:
        words = dict(enumerate(example.words_in_train))
        train = train.assign(**{example.label: train[example.label].map(words)})
    save(train.rename(columns={example.label: example.label_in_train or example.label}), public)
    save(test.drop(columns=example.label), public, "test.csv")
    save(sample, public, "sample_submission.csv")
    save(test[[example.id_column, example.label]], private, "answers.csv")
    description = (DESCRIPTIONS / f"{example.slug}.md").read_text(encoding="utf-8")
    (public / "description.md").write_text(description, encoding="utf-8", newline="\n")
    (folder / "competition.yaml").write_text(
        yaml.safe_dump(settings(example), sort_keys=False), encoding="utf-8", newline="\n"
    )


def save(table: pd.DataFrame, folder: Path, name: str = "train.csv") -> None:
    """Write a table as CSV, the same bytes on every system."""
    table.to_csv(folder / name, index=False, lineterminator="\n")


def settings(example: Example) -> dict[str, object]:
    """Return the content of the example's competition.yaml."""
    return {
        "id": example.slug,
        "name": example.name,
        "metric": example.metric,
        "higher_is_better": example.higher_is_better,
        "id_columns": [example.id_column],
        "target_columns": list(example.targets),
        "answer_columns": [example.label],
        "classes": list(example.classes),
        "probability": example.probability,
        "sample_submission": "prepared/public/sample_submission.csv",
        "answers": "prepared/private/answers.csv",
        "description": "prepared/public/description.md",
    }


def blank(table: pd.DataFrame, column: str, share: float, seed: int, value: float = np.nan) -> None:
    """Overwrite about that share of a column, always the same rows, with a gap or a code."""
    rows = np.random.RandomState(seed).uniform(size=len(table)) < share
    table.loc[rows, column] = value


def wine_cultivars() -> pd.DataFrame:
    """Return 178 Italian wines (UCI Wine): chemical analysis, colour in words, cultivar 1 to 3."""
    data: pd.DataFrame = load_wine(as_frame=True).frame
    names = {
        "alcohol": "Alcohol",
        "malic_acid": "MalicAcid",
        "ash": "Ash",
        "alcalinity_of_ash": "AlcalinityOfAsh",
        "magnesium": "Magnesium",
        "total_phenols": "TotalPhenols",
        "nonflavanoid_phenols": "NonflavanoidPhenols",
        "proanthocyanins": "Proanthocyanins",
        "hue": "Hue",
        "od280/od315_of_diluted_wines": "OD280_OD315",
        "proline": "Proline",
    }
    table = data[list(names)].rename(columns=names)
    depth = pd.cut(data["color_intensity"], [0, 3.2, 4.7, 6.2, 20], labels=False)
    table["ColorDepth"] = depth.map({0: "pale", 1: "medium", 2: "deep", 3: "very deep"})
    table["Cultivar"] = data["target"] + 1
    blank(table, "MalicAcid", 0.06, 11)
    blank(table, "Magnesium", 0.05, 12)
    blank(table, "ColorDepth", 0.04, 13)
    return table


def biopsy_diagnosis() -> pd.DataFrame:
    """Return 569 breast biopsies (UCI Wisconsin Diagnostic): means and errors, a size in words."""
    data: pd.DataFrame = load_breast_cancer(as_frame=True).frame
    kept = [name for name in data.columns if name.startswith("mean ") or name.endswith(" error")]
    names = {name: column_name(name) for name in kept}
    table = data[kept].rename(columns=names).drop(columns=["radius_mean", "texture_mean"])
    size = pd.cut(data["mean radius"], [0, 11.7, 15.8, 100], labels=False)
    table.insert(0, "cell_size", size.map({0: "small", 1: "medium", 2: "large"}))
    grain = pd.cut(data["mean texture"], [0, 16.2, 21.8, 100], labels=False)
    table.insert(1, "cell_texture", grain.map({0: "smooth", 1: "uneven", 2: "coarse"}))
    table["malignant"] = 1 - data["target"]
    blank(table, "smoothness_mean", 0.05, 21)
    blank(table, "symmetry_mean", 0.04, 22)
    blank(table, "cell_texture", 0.05, 23)
    return table


def column_name(name: str) -> str:
    """Turn `mean concave points` into `concave_points_mean` and `area error` into `area_se`."""
    if name.startswith("mean "):
        return name.removeprefix("mean ").replace(" ", "_") + "_mean"
    return name.removesuffix(" error").replace(" ", "_") + "_se"


def diabetes_progression() -> pd.DataFrame:
    """Return 442 diabetes patients (Efron et al. 2004) in the original units."""
    data = load_diabetes(as_frame=True, scaled=False).frame
    table = pd.DataFrame({"Age": data["age"].astype(int)})
    band = pd.cut(data["age"], [0, 34, 49, 64, 120], labels=False)
    table["AgeGroup"] = band.map({0: "under 35", 1: "35-49", 2: "50-64", 3: "65 and over"})
    table["Sex"] = data["sex"].map({1.0: "A", 2.0: "B"})
    names = {
        "bmi": "BMI",
        "bp": "BloodPressure",
        "s1": "TC",
        "s2": "LDL",
        "s3": "HDL",
        "s4": "TCH",
        "s5": "LTG",
        "s6": "Glucose",
    }
    table = table.join(data[list(names)].rename(columns=names))
    table["Progression"] = data["target"].astype(int)
    blank(table, "BMI", 0.05, 31, value=999.0)
    blank(table, "BloodPressure", 0.06, 32)
    blank(table, "Glucose", 0.05, 33)
    blank(table, "AgeGroup", 0.04, 34)
    return table


def digit_scans() -> pd.DataFrame:
    """Return 1797 digit scans (UCI Optical Recognition): 8 x 8 pixels of 0 to 16, label."""
    data = load_digits()
    pixels = [f"pixel{row}{column}" for row in range(8) for column in range(8)]
    table = pd.DataFrame(data.data.astype(int), columns=pixels)
    ink = pd.cut(table.sum(axis=1), [0, 280, 345, 1024], labels=False)
    table.insert(0, "Stroke", ink.map({0: "thin", 1: "normal", 2: "bold"}))
    table["Label"] = data.target
    return table


EXAMPLES = (
    Example(
        slug="wine-cultivars",
        name="Wine Cultivars",
        metric="accuracy",
        higher_is_better=True,
        load=wine_cultivars,
        label="Cultivar",
        targets={"Cultivar": 2},
        test_rows=60,
    ),
    Example(
        slug="biopsy-diagnosis",
        name="Biopsy Diagnosis",
        metric="roc_auc",
        higher_is_better=True,
        load=biopsy_diagnosis,
        label="malignant",
        targets={"malignant": 0.5},
        test_rows=189,
        id_column="id",
        first_id=84001,
        probability=True,
        label_in_train="diagnosis",
        words_in_train=("B", "M"),
    ),
    Example(
        slug="diabetes-progression",
        name="Diabetes Progression",
        metric="rmse",
        higher_is_better=False,
        load=diabetes_progression,
        label="Progression",
        targets={"Progression": 150},
        test_rows=142,
        id_column="PatientId",
        first_id=1001,
    ),
    Example(
        slug="digit-scans",
        name="Digit Scans",
        metric="log_loss",
        higher_is_better=False,
        load=digit_scans,
        label="Label",
        targets={f"Digit_{digit}": 0.1 for digit in range(10)},
        test_rows=597,
        id_column="ImageId",
        classes=tuple(str(digit) for digit in range(10)),
        probability=True,
    ),
)


if __name__ == "__main__":
    main()
