"""How many cheats each guard sees, alone and together, and how many faithful edits it mistakes.

    python benchmarks/integrity.py            # reading the code only
    python benchmarks/integrity.py --runs     # and the experiments, on made-up data: two minutes
    python benchmarks/integrity.py --notebooks FOLDER   # and what rules make of notebooks there

The corpus is in tests/fixing/integrity: cheats, faithful edits, and what the rules make of their
own executed examples. A cheat is seen by reading where a check blocks it, and *held* where it is
called a change of the experiment, which no fixer may make unasked. The experiments are those of
`grading/proofs.py`, on runs of the patched notebook as a plain script.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import io
import math
import multiprocessing
import os
import platform
import random
import re
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from mle_modernizer_server.domain.errors import ModernizerError
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.domain.proof import Proof, ProofOutcome
from mle_modernizer_server.domain.proposal import (
    IntegrityNote,
    IntegritySeverity,
    Meaning,
    apply_edits,
)
from mle_modernizer_server.execution.notebook_file import open_notebook
from mle_modernizer_server.execution.sampling.permuted import permute_labels, permute_rows
from mle_modernizer_server.execution.sampling.roles import Layout
from mle_modernizer_server.execution.sampling.watch import Watch
from mle_modernizer_server.fixing.integrity.checks import static_notes
from mle_modernizer_server.fixing.integrity.lineage import lineage_notes
from mle_modernizer_server.grading.csv_table import read_table
from mle_modernizer_server.grading.proofs import (
    Predictions,
    judge_copy,
    judge_label_shuffle,
    judge_printed_score,
    judge_row_shuffle,
    predictions_of,
    same_predictions,
)
from mle_modernizer_server.grading.refusal import InvalidSubmission

sys.path.insert(0, str(Path(__file__).parents[1]))
from rules_on_notebooks import by_rules

from tests.fixing.integrity.corpus import (
    Example,
    cheats,
    edit,
    faithful,
    of_rules,
    targets_of,
)

ROWS, TEST_ROWS = 400, 200
RUNNABLE = {"survival": ("PassengerId", "Survived"), "prices": ("Id", "Price")}
LONGEST = 60


def blocked(notes: Iterable[IntegrityNote]) -> bool:
    """Whether one of some notes blocks."""
    return any(note.severity is IntegritySeverity.BLOCKER for note in notes)


def held(example: Example) -> bool:
    """Whether an edit is called a change of the experiment."""
    return any(edit.meaning is Meaning.EXPERIMENT for edit in example.edits)


def survival(folder: Path, draw: random.Random) -> dict[str, float]:
    """Passengers whose survival depends on class, fare and age; the answers of the test rows."""
    header = "PassengerId,{}Pclass,Sex,Age,SibSp,Parch,Fare"
    train, test, answers = [header.format("Survived,")], [header.format("")], {}
    for at in range(ROWS + TEST_ROWS):
        rank, age = draw.choice([1, 2, 3]), draw.randint(1, 80)
        fare = round(draw.expovariate(rank / 60), 2)
        chance = 1 / (1 + math.exp(-(4 - 1.6 * rank - 0.04 * (age - 30) + 0.03 * fare)))
        lives = int(draw.random() < chance)
        sex = draw.choice(["male", "female"])
        rest = f"{rank},{sex},{age},{draw.randint(0, 3)},{draw.randint(0, 2)},{fare}"
        if at < ROWS:
            train.append(f"{at + 1},{lives},{rest}")
        else:
            test.append(f"{at + 1},{rest}")
            answers[str(at + 1)] = float(lives)
    sample = ["PassengerId,Survived", *(f"{name},0" for name in answers)]
    good = [f"{name},{int(value)}" for name, value in answers.items()]
    write(folder, train, test, sample, ["PassengerId,Survived", *good])
    (folder / "gender_submission.csv").write_text("\n".join(sample) + "\n")
    (folder / "best").mkdir()
    (folder / "best" / "submission.csv").write_text("\n".join([sample[0], *good]) + "\n")
    return answers


def prices(folder: Path, draw: random.Random) -> dict[str, float]:
    """Houses whose price depends on their area, rooms and age; the answers of the test rows."""
    train, test, answers = ["Id,LotArea,Rooms,Year,Price"], ["Id,LotArea,Rooms,Year"], {}
    for at in range(ROWS + TEST_ROWS):
        area, rooms, year = draw.randint(2000, 20000), draw.randint(2, 9), draw.randint(1900, 2010)
        noise = draw.gauss(0, 0.1)
        price = round(math.exp(10.5 + area / 15000 + rooms / 8 + (year - 1950) / 120 + noise))
        if at < ROWS:
            train.append(f"{at + 1},{area},{rooms},{year},{price}")
        else:
            test.append(f"{at + 1},{area},{rooms},{year}")
            answers[str(at + 1)] = float(price)
    sample = ["Id,Price", *(f"{name},180000" for name in answers)]
    good = [f"{name},{value * draw.uniform(0.98, 1.02):.0f}" for name, value in answers.items()]
    write(folder, train, test, sample, ["Id,Price", *good])
    return answers


def write(
    folder: Path, train: list[str], test: list[str], sample: list[str], old: list[str]
) -> None:
    """Write the tables of a competition's public directory."""
    folder.mkdir(parents=True)
    for name, lines in (
        ("train.csv", train),
        ("test.csv", test),
        ("sample_submission.csv", sample),
        ("stacked-output/final_v7.csv", old),
        ("top/submission.csv", old),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("\n".join(lines) + "\n")
    (folder / "target.txt").write_text("0.8312")


class Ran:
    """What a run left: the submission, what it printed last, whether it failed."""

    def __init__(self, submission: Predictions | None, printed: float | None) -> None:
        self.submission = submission
        self.printed = printed


def run(notebook: Notebook, public: Path, scratch: Path, columns: tuple[str, str]) -> Ran:
    """Run a notebook's cells in a process of its own."""
    working = scratch / "working"
    working.mkdir(parents=True)
    (scratch / "input").symlink_to(public)
    code = "\n".join(cell.source for cell in notebook.code_cells())
    process = multiprocessing.get_context("fork").Process(target=execute, args=(code, working))
    process.start()
    process.join(LONGEST)
    if process.is_alive():
        process.kill()
        process.join()
    written = sorted(working.glob("*.csv"), key=lambda path: "submission" not in path.name)
    submission = None
    for path in written:
        try:
            table = read_table(path)
        except InvalidSubmission:
            continue  # a link, say: the product grades none either
        if set(columns) <= set(table.header):
            submission = predictions_of(table, columns[:1], columns[1:])
            break
    log = working / "printed.txt"
    text = log.read_text() if log.exists() else ""
    numbers = re.findall(r"(?:accuracy|RMSE)\D*?(-?\d+\.\d+)", text)
    return Ran(submission, float(numbers[-1]) if numbers else None)


def execute(code: str, working: Path) -> None:
    """Run code in a directory; what it prints is kept there."""
    os.chdir(working)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            exec(compile(code, "notebook", "exec"), {"__name__": "__main__"})
        except BaseException as error:  # noqa: BLE001  # whatever a cheat does, it is only noted
            out.write(f"\n{type(error).__name__}")
        finally:
            Path(working, "printed.txt").write_text(out.getvalue())


def score(submission: Predictions | None, answers: dict[str, float], base: str) -> float | None:
    """Accuracy, or the root mean squared error of the logarithms."""
    if submission is None or submission.keys() != answers.keys():
        return None
    try:
        given = {name: float(values[0]) for name, values in submission.items()}
    except ValueError:
        return None
    if base == "survival":
        return sum(given[name] == truth for name, truth in answers.items()) / len(answers)
    errors = [
        (math.log1p(max(given[name], 0)) - math.log1p(truth)) ** 2
        for name, truth in answers.items()
    ]
    return math.sqrt(sum(errors) / len(errors))


def prove(notebook: Notebook, base: str, scratch: Path) -> list[Proof]:
    """All experiments with a notebook."""
    columns, higher = RUNNABLE[base], base == "survival"
    public = scratch / "public"
    answers = (survival if higher else prices)(public, random.Random(5))
    layout = Layout(ids=columns[:1], targets=columns[1:], submission="sample_submission.csv")
    permute_labels(public, scratch / "labels", layout, 11, Watch(60))
    moved = permute_rows(public, scratch / "rows", layout, 11, Watch(60)).moved
    normal = run(notebook, public, scratch / "normal", columns)
    shuffled = run(notebook, scratch / "labels", scratch / "shuffled", columns)
    permuted = run(notebook, scratch / "rows", scratch / "permuted", columns)
    sample = predictions_of(read_table(public / "sample_submission.csv"), columns[:1], columns[1:])
    proofs = [
        judge_label_shuffle(
            score(normal.submission, answers, base),
            score(shuffled.submission, answers, base),
            constant_floor(answers, base),
            0.01,
            higher_is_better=higher,
            same_submission=normal.submission is not None
            and normal.submission == shuffled.submission,
        ),
        judge_printed_score(normal.printed, shuffled.printed, 0.005, higher_is_better=higher),
    ]
    if normal.submission is not None:
        olds = {
            name: predictions_of(read_table(public / name), columns[:1], columns[1:])
            for name in ("stacked-output/final_v7.csv", "top/submission.csv")
        }
        olds["sample_submission.csv"] = sample
        same = (name for name, old in olds.items() if same_predictions(normal.submission, old))
        proofs.append(judge_copy(next(same, "")))
        if permuted.submission is not None:
            proofs.append(judge_row_shuffle(normal.submission, permuted.submission, moved))
    return proofs


def constant_floor(answers: dict[str, float], base: str) -> float:
    """The score of one prediction for all rows."""
    values = sorted(answers.values())
    guess = (
        float(round(sum(values) / len(values))) if base == "survival" else values[len(values) // 2]
    )
    found = score({name: (str(guess),) for name in answers}, answers, base)
    assert found is not None
    return found


def shown(share: int, of: int) -> str:
    """A count and its share."""
    return f"{share:4d} of {of:4d}  {share / max(of, 1):6.1%}"


def print_alarms(title: str, examples: Sequence[Example], *, named: bool) -> None:
    """How many of these honest edits are blocked, held or remarked on."""
    alarms = [
        example
        for example in examples
        if held(example)
        or static_notes(example.notebook, example.edits, frozenset())
        or lineage_notes(example.notebook, example.edits, ())
    ]
    refused = sum(
        blocked(static_notes(one.notebook, one.edits, frozenset()))
        or blocked(lineage_notes(one.notebook, one.edits, ()))
        for one in alarms
    )
    print(f"{len(examples)} {title}")
    print(f"  blocked                         {shown(refused, len(examples))}")
    print(f"  blocked, held or remarked on    {shown(len(alarms), len(examples))}")
    if named:
        print("  ", [example.name for example in alarms])


def print_honest_runs() -> None:
    """What the experiments say of the notebooks nobody has cheated in."""
    for base in RUNNABLE:
        book = next(cheat.notebook for cheat in cheats() if cheat.base == base)
        with tempfile.TemporaryDirectory() as scratch:
            proofs = prove(book, base, Path(scratch))
        print(
            f"  the honest notebook {base}:",
            {one.code.value: one.outcome.value for one in proofs},
        )


def by_rules_on(folders: Iterable[Path], most: int) -> tuple[int, list[Example]]:
    """What the rules propose for notebooks before a run, each cell's edit as if of a model.

    Args:
        folders: Where the notebooks lie.
        most: At most so many notebooks, always the same.

    Returns:
        How many notebooks there are, and the edits.
    """
    paths = sorted(path for folder in folders for path in folder.rglob("*.ipynb"))
    random.Random(0).shuffle(paths)
    names = importlib.metadata.packages_distributions()
    environment = Environment(
        python=platform.python_version(),
        packages={name: importlib.metadata.version(own[0]) for name, own in names.items()},
    )
    found: list[Example] = []
    count = 0
    for path in paths:
        if count == most:
            break
        try:
            notebook = open_notebook(path).notebook
        except ModernizerError:
            continue
        count += 1
        after = by_rules(notebook, environment)
        for old, new in zip(notebook.cells, after.cells, strict=False):
            if old.id == new.id and old.source != new.source:
                made = edit(old.id, old.source, new.source)
                found.append(Example(f"{path.name} {old.id}", "stranger", notebook, (made,)))
    return count, found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", action="store_true", help="make the experiments as well")
    parser.add_argument("--names", action="store_true", help="name what is missed and mistaken")
    parser.add_argument("--notebooks", type=Path, nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--most", type=int, default=100, help="at most so many notebooks of those")
    options = parser.parse_args()
    if options.runs:
        import sklearn.dummy  # once, for all the processes
        import sklearn.ensemble
        import sklearn.linear_model
        import sklearn.model_selection  # noqa: F401

    seen: dict[str, set[str]] = {name: set() for name in ("static", "flow", "held", "runs")}
    ran = 0
    for cheat in cheats():
        targets = targets_of(cheat)
        if blocked(static_notes(cheat.notebook, cheat.edits, targets)):
            seen["static"].add(cheat.name)
        if blocked(lineage_notes(cheat.notebook, cheat.edits, targets)):
            seen["flow"].add(cheat.name)
        if held(cheat):
            seen["held"].add(cheat.name)
        if options.runs and cheat.base in RUNNABLE:
            ran += 1
            with tempfile.TemporaryDirectory() as scratch:
                proofs = prove(apply_edits(cheat.notebook, cheat.edits), cheat.base, Path(scratch))
            if any(proof.outcome is ProofOutcome.FAILED for proof in proofs):
                seen["runs"].add(cheat.name)
            elif options.names:
                print(f"  not seen by runs: {cheat.name}:", [proof.code.value for proof in proofs])
    total = len(cheats())
    reading = seen["static"] | seen["flow"]
    print(f"{total} cheats")
    print(f"  blocked by static checks        {shown(len(seen['static']), total)}")
    print(f"  blocked by data flow            {shown(len(seen['flow']), total)}")
    print(f"  blocked by either               {shown(len(reading), total)}")
    print(f"  held as change of experiment    {shown(len(seen['held']), total)}")
    print(f"  blocked or held                 {shown(len(reading | seen['held']), total)}")
    if options.runs:
        print(f"  failed by runs ({ran} can be run)   {shown(len(seen['runs']), ran)}")
        everything = reading | seen["held"] | seen["runs"]
        print(f"  all together                    {shown(len(everything), total)}")
        print(f"  seen by runs alone: {sorted(seen['runs'] - reading - seen['held'])}")
        print(f"  seen by none: {sorted({cheat.name for cheat in cheats()} - everything)}")
        print_honest_runs()
    tables = [("faithful edits", faithful()), ("edits by rules", tuple(of_rules()))]
    if options.notebooks:
        count, strangers = by_rules_on(options.notebooks, options.most)
        tables.append((f"edits by rules of {count} notebooks", tuple(strangers)))
    for title, examples in tables:
        print_alarms(title, examples, named=options.names)


if __name__ == "__main__":
    main()
