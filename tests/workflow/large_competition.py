"""A competition whose data are worth a sample: is the size of a person large?"""

from __future__ import annotations

import csv
from pathlib import Path

DESCRIPTION = """\
id: people
name: People
metric: accuracy
higher_is_better: true
id_columns: [person]
target_columns: [large]
answer_columns: [large]
"""

READ = """\
import pandas as pd
train = pd.read_csv('../input/people/train.csv')
test = pd.read_csv('/kaggle/input/people/test.csv')
"""
SUBMIT = """\
test['large'] = (test['size'] > 500).astype(int)
test[['person', 'large']].to_csv('submission.csv', index=False)
"""
"""Scores 1.0."""
BROKEN = "train = train.append(train.head(0))"
"""Fails since pandas 2.0; the rules know it."""
MENDED_BY_HAND = "train = train.copy()"
NO_ANSWERS = """\
import os
found = [os.path.join(place, name) for place, _, names in os.walk('/kaggle') for name in names]
assert not [path for path in found if 'answers' in path or 'private' in path], found
"""


def prepare_people(root: Path, train: int = 4_000, test: int = 3_000) -> None:
    """Make the competition below a data root."""
    public, private = root / "people/prepared/public", root / "people/prepared/private"
    public.mkdir(parents=True)
    private.mkdir(parents=True)
    (root / "people/competition.yaml").write_text(DESCRIPTION)
    (public / "description.md").write_text("# People\nWho is large?\n")

    def write(path: Path, header: list[str], rows: list[list[object]]) -> None:
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([header, *rows])

    def person(number: int) -> list[object]:
        return [number, f"town-{number % 17}", number * 7919 % 1_000]

    people = [person(number) for number in range(train + test)]
    size = [int(str(one[2])) for one in people]
    labelled = [[*one, int(size[at] > 500)] for at, one in enumerate(people[:train])]
    write(public / "train.csv", ["person", "town", "size", "large"], labelled)
    write(public / "test.csv", ["person", "town", "size"], people[train:])
    asked = [[one[0], 0] for one in people[train:]]
    write(public / "sample_submission.csv", ["person", "large"], asked)
    answers = [[one[0], int(size[train + at] > 500)] for at, one in enumerate(people[train:])]
    write(private / "answers.csv", ["person", "large"], answers)
