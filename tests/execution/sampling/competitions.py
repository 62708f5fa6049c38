"""Competitions made by rule, with relations between their files."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterable, Sequence
from pathlib import Path

Row = Sequence[object]


def write_csv(
    path: Path,
    header: Sequence[str],
    rows: Iterable[Row],
    *,
    separator: str = ",",
    encoding: str = "utf-8",
    ending: str = "\n",
) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator=ending)
    writer.writerow(header)
    writer.writerows(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.getvalue().encode(encoding))


def read_csv(
    path: Path, *, separator: str = ",", encoding: str = "utf-8"
) -> tuple[list[str], list[list[str]]]:
    text = path.read_bytes().decode(encoding)
    header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return header, rows


def column(path: Path, name: str) -> list[str]:
    header, rows = read_csv(path)
    return [row[header.index(name)] for row in rows]


def tabular(public: Path, seed: int, train: int, test: int) -> None:
    """Persons with a town, a rare category, a rare class, and tables that speak of them."""
    rng = random.Random(seed)
    towns = [f"town-{number}" for number in range(rng.choice([5, 40, 300]))]

    def person(number: int) -> list[object]:
        odd = "odd" if rng.random() < 0.002 else rng.choice(["a", "b"])
        return [number, rng.choice(towns), odd, round(rng.gauss(0, 1), 3)]

    people = [person(number) for number in range(train + test)]
    classes = ["yes" if rng.random() < 0.01 else "no" for _ in range(train)]
    columns = ["person_id", "town", "kind", "size"]
    write_csv(public / "train.csv", columns, people[:train])
    write_csv(public / "test.csv", columns, people[train:])
    labels = [(row[0], label) for row, label in zip(people, classes, strict=False)]
    write_csv(public / "train_labels.csv", ["person_id", "target"], labels)
    asked = [(row[0], "no") for row in people[train:]]
    write_csv(public / "sample_submission.csv", ["person_id", "target"], asked)
    visits = [(at, rng.randrange(train + test), rng.random()) for at in range(3 * (train + test))]
    write_csv(public / "visits.csv", ["visit_id", "person_id", "hours"], visits)
    bills = [(at, at % len(visits), rng.random()) for at in range(4 * (train + test))]
    write_csv(public / "bills.csv", ["bill_id", "visit_id", "sum"], bills)
    write_csv(public / "towns.csv", ["town", "people"], [(town, 7) for town in towns])


def with_pictures(public: Path, number: int) -> None:
    """A thousand pictures in folders, some of them of two colours, and tables that name them."""
    rows = [(f"img{at:05}", at % 7) for at in range(number)]
    write_csv(public / "train.csv", ["image", "label"], [(f"{name}.jpg", y) for name, y in rows])
    asked = [(f"t{at:05}", 0) for at in range(number)]
    write_csv(public / "sample_submission.csv", ["id", "label"], asked)
    for folder, names in (("train", [name for name, _ in rows]), ("test", [a for a, _ in asked])):
        (public / folder).mkdir()
        for name in names:
            (public / folder / f"{name}.jpg").write_bytes(name.encode())
    (public / "masks").mkdir()
    for name, _ in rows:
        for colour in ("red", "green"):
            (public / "masks" / f"{name}_{colour}.png").write_bytes(b"x")


def series(public: Path, days: int, stores: int) -> None:
    """Sales by day and store in order of time, and a large table by day."""
    header = ["id", "date", "store_nbr", "item_nbr", "sales"]
    dates = [
        f"{2010 + day // 336}-{day // 28 % 12 + 1:02}-{day % 28 + 1:02}" for day in range(days)
    ]
    rows = [
        (at, date, store, at * 7 % 900, at % 10)
        for at, (date, store) in enumerate((d, s) for d in dates for s in range(stores))
    ]
    cut = len(rows) * 3 // 4
    write_csv(public / "train.csv", header, rows[:cut])
    write_csv(public / "test.csv", header[:-1], [row[:-1] for row in rows[cut:]])
    asked = [(row[0], 0) for row in rows[cut:]]
    write_csv(public / "sample_submission.csv", ["id", "sales"], asked)
    counts = [(date, store, 5) for date in dates for store in range(stores)]
    write_csv(public / "transactions.csv", ["date", "store_nbr", "transactions"], counts)
    write_csv(public / "stores.csv", ["store_nbr", "city"], [(at, "x") for at in range(stores)])
    items = [(at, f"family {at % 30}") for at in range(900)]
    write_csv(public / "items.csv", ["item_nbr", "family"], items)
