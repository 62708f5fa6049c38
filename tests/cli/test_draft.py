"""`jupyter modernize draft`: first notebooks that run and beat a prediction without knowledge."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import nbformat
import pytest

from tests.cli.conftest import Cli

Row = dict[str, object]
WORDS = {"good": ["lovely", "great", "warm", "kind"], "bad": ["awful", "cold", "rude", "dull"]}

NEUTRAL = [f"thing{number}" for number in range(30)]


def _write(path: Path, rows: list[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as stream:
        table = csv.DictWriter(stream, list(rows[0]))
        table.writeheader()
        table.writerows(rows)


def make(
    root: Path, slug: str, yaml: str, rows: list[Row], sample: list[Row], answers: list[Row]
) -> None:
    """A competition whose first rows are its training data, the answers' rows its test data."""
    public = root / slug / "prepared/public"
    known = [row for row in rows if row["id"] not in {one["id"] for one in answers}]
    hidden = [name for name in answers[0] if name != "id"]
    asked = [row for row in rows if row not in known]
    _write(public / "train.csv", known)
    test = [{name: row[name] for name in row if name not in hidden} for row in asked]
    _write(public / "test.csv", test)
    _write(public / "sample_submission.csv", sample)
    _write(root / slug / "prepared/private/answers.csv", answers)
    (root / slug / "competition.yaml").write_text(yaml, "utf-8")


def prices(root: Path) -> None:
    """Regression on numbers, categories, dates and times; the sample has another order."""
    chance = random.Random(0)
    rows: list[Row] = []
    for at in range(400):
        size, month = chance.uniform(20, 200), 1 + at % 12
        town = chance.choice(["Ulm", "Köln", "Bonn"])
        price = 1000 * size * {"Ulm": 1, "Köln": 2, "Bonn": 3}[town] + 9000 * month
        cells: Row = {"id": f"{at:04}", "size": "" if at % 9 == 0 else round(size, 1)}
        cells |= {"town": town, "sold": f"2019-{month:02}-11", "price": round(price)}
        zone = "Z" if at % 2 else "+02:00"
        cells["listed"] = f"2018-{month:02}-{1 + at % 28:02}T10:00:00{zone}"
        rows.append(cells)
    answers: list[Row] = [{"id": row["id"], "price": row["price"]} for row in rows[300:]]
    sample: list[Row] = [{"id": row["id"], "price": 0} for row in reversed(rows[300:])]
    make(root, "prices", "metric: rmsle\nid_columns: [id]\n", rows, sample, answers)


def churn(root: Path) -> None:
    """Probabilities of a class of numbers and booleans."""
    chance = random.Random(1)
    rows: list[Row] = []
    for at in range(400):
        use, paid = chance.gauss(0, 1), chance.random() < 0.5
        left = int(use + paid + chance.gauss(0, 0.5) > 0.5)
        rows.append({"id": at, "use": f"{use:.3f}", "paid": paid, "left": left})
    answers: list[Row] = [{"id": row["id"], "left": row["left"]} for row in rows[300:]]
    sample: list[Row] = [{"id": row["id"], "left": 0.5} for row in rows[300:]]
    make(root, "churn", "metric: roc_auc\nid_columns: [id]\n", rows, sample, answers)


def reviews(root: Path) -> None:
    """Labels of texts."""
    chance = random.Random(2)
    rows: list[Row] = []
    for at in range(300):
        label = chance.choice(sorted(WORDS))
        said = " ".join(chance.choice([*WORDS[label] * 2, *NEUTRAL]) for _ in range(12))
        rows.append({"id": at, "text": f'{said}, "{at}"', "label": label})
    answers: list[Row] = [{"id": row["id"], "label": row["label"]} for row in rows[200:]]
    sample: list[Row] = [{"id": row["id"], "label": "good"} for row in rows[200:]]
    make(root, "reviews", "metric: accuracy\nid_columns: [id]\n", rows, sample, answers)


def plants(root: Path) -> None:
    """A probability for each of three classes, a column each, beside a short description."""
    chance = random.Random(3)
    rows: list[Row] = []
    for at in range(360):
        kind = ["oak", "elm", "fir"][at % 3]
        height = chance.gauss({"oak": 10, "elm": 14, "fir": 22}[kind], 2)
        note = " ".join(f"word{chance.randrange(40)}" for _ in range(6))
        rows.append({"id": at, "height": round(height, 2), "note": note, "kind": kind})
    answers: list[Row] = [{"id": row["id"], "kind": row["kind"]} for row in rows[240:]]
    sample: list[Row] = [
        {"id": row["id"], "elm": 0.3, "fir": 0.3, "oak": 0.4} for row in rows[240:]
    ]
    yaml = (
        "metric: log_loss\nid_columns: [id]\ntarget_columns: [elm, fir, oak]\n"
        "answer_columns: [kind]\n"
    )
    make(root, "plants", yaml, rows, sample, answers)


@pytest.mark.thorough
@pytest.mark.parametrize("competition", [prices, churn, reviews, plants])
def test_a_draft_runs_and_beats_a_prediction_without_knowledge(
    cli: Cli, data_root: Path, tmp_path: Path, competition: object
) -> None:
    assert callable(competition)
    competition(data_root)
    slug = competition.__name__
    notebook, report = tmp_path / "draft.ipynb", tmp_path / "report.json"
    ended = cli("draft", slug, "--out", notebook)
    assert ended.code == 0, ended.err
    nbformat.validate(nbformat.read(notebook, nbformat.NO_CONVERT))
    options = ("--sandbox", "process", "--competition", slug, "--report", report)
    cli("run", notebook, *options)
    run = json.loads(report.read_text())["iterations"][-1]
    assert run["execution"]["errors"] == [], run["execution"]["errors"]
    grade = run["grade"]
    assert grade["score"] is not None, grade
    sign = 1 if grade["higher_is_better"] else -1
    floor = grade["floor"]
    assert floor is not None
    assert sign * grade["score"] > sign * floor


def test_columns_are_named_safely(cli: Cli, data_root: Path, tmp_path: Path) -> None:
    churn(data_root)
    public = data_root / "churn/prepared/public"
    for name in ("train.csv", "test.csv"):
        rows = list(csv.DictReader((public / name).open(newline="")))
        for at, row in enumerate(rows):
            row["x\nraise SystemExit"] = f"k{at}"
        _write(public / name, [dict(row) for row in rows])
    notebook = tmp_path / "draft.ipynb"
    assert cli("draft", "churn", "--out", notebook).code == 0
    for cell in nbformat.read(notebook, nbformat.NO_CONVERT).cells:
        assert "\nraise SystemExit" not in cell.source


def test_what_no_draft_is_written_for_is_refused(cli: Cli, data_root: Path, tmp_path: Path) -> None:
    churn(data_root)
    output = tmp_path / "draft.ipynb"
    public = data_root / "churn/prepared/public"
    train = list(csv.DictReader((public / "train.csv").open(newline="")))
    _write(public / "train.csv", [{"id": row["id"], "left": row["left"]} for row in train])
    ended = cli("draft", "churn", "--out", output)
    assert ended.code == 2
    assert "no informative column that the test data have too" in ended.err
    (public / "images").mkdir()
    for at in range(30):
        (public / f"images/{at}.png").write_bytes(b"")
    ended = cli("draft", "churn", "--out", output)
    assert ended.code == 2
    assert "the competition's data are images (30 files)" in ended.err
    _write(public / "train.csv", [{"id": row["id"], "use": row["use"]} for row in train])
    assert (
        "lack the column left, which is to be predicted"
        in cli("draft", "churn", "--out", output).err
    )
    (data_root / "churn/competition.yaml").write_text("metric: edit_distance\nid_columns: [id]\n")
    _write(public / "train.csv", [dict(row) for row in train])
    assert "drafts predict a number or a class" in cli("draft", "churn", "--out", output).err
    assert not output.exists()
    assert cli("draft", "nowhere", "--out", output).code == 2
    output.write_text("mine")
    assert cli("draft", "churn", "--out", output).code == 2
    assert output.read_text() == "mine"
