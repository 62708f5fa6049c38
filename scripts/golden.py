"""Record and compare the answers of all analyses of code about many notebooks.

usage:
  golden.py record [ID] [--only PART] [--strangers FOLDER]
      write the answers of now to tests/golden/
  golden.py compare [ID] [--only PART] [--strangers FOLDER]
      print every answer that is another one, and exit with 1 if any is
  golden.py show ID [--only PART] [--strangers FOLDER]
      print the answers about one notebook, or one group of patches (`cheats`, `faithful`, …)
  The parts are examples, integrity, readers (of the patched code) and strangers.

The examples and the verdicts on the integrity check's patches are stored as they are; what the
readers say of the patched code, and all about notebooks of strangers, as hashes, one for each
question. FOLDER has a table `notebooks.tsv` (columns
`id` and `path`), and each notebook with its surroundings at `ID/PATH`. To see what another hash
means, print the answers in two checkouts and compare them. Recording keeps the hashes of notebooks
that FOLDER lacks. No kernel starts, and nothing that is
installed or generated here counts.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import golden_questions as asked  # noqa: E402 # after the folder of the package is named

from mle_modernizer_server.domain.errors import ModernizerError  # noqa: E402 # as above
from tests.fixing.integrity import corpus  # noqa: E402 # as above

FOLDER = ROOT / "tests" / "golden"
EXAMPLES = ROOT / "examples" / "notebooks"
PARTS = ("examples", "integrity", "readers", "strangers")
Answers = dict[str, asked.Answer]


def examples(only: str | None = None) -> Iterator[tuple[str, Answers]]:
    """Yield the id and the answers of each example."""
    for path in sorted(EXAMPLES.glob(f"{only or '*'}.ipynb")):
        yield path.stem, answers(asked.read_subject(path, beside=False))


def integrity(only: str | None = None) -> Iterator[tuple[str, Answers]]:
    """Yield the parts of the integrity check's patches, each with a verdict by patch."""
    for part, patches in groups(only).items():
        verdicts = {name: asked.verdict(patch) for name, patch in patches.items()}
        yield part, {"verdicts": dict(verdicts)}


def readers(only: str | None = None) -> Iterator[tuple[str, Answers]]:
    """Yield the parts of those patches, each with the readers' answers about the patched code."""
    for part, patches in groups(only).items():
        found: Answers = {name: {} for name in asked.READERS}
        for name, patch in patches.items():
            subject = asked.patched(patch)
            for reader in asked.READERS:
                found[reader][name] = answer(reader, subject)
        yield part, found


def groups(only: str | None) -> dict[str, dict[str, asked.Patch]]:
    """Return the patches by group and name."""
    found = {"cheats": corpus.cheats(), "faithful": corpus.faithful()}
    for part in corpus.HELD_OUT:
        stem = part.removesuffix(".yaml")
        found[f"{stem} cheats"] = corpus.held_out_cheats(part)
        found[f"{stem} faithful"] = corpus.held_out_faithful(part)
    return {
        part: {
            f"{number} {one.name}": asked.Patch(one.notebook, one.edits, corpus.targets_of(one))
            for number, one in enumerate(patches, start=1)
        }
        for part, patches in found.items()
        if only in (None, part)
    }


def strangers(folder: Path, only: str | None = None) -> Iterator[tuple[str, Answers]]:
    """Yield the id and the answers of each notebook in a folder of strangers' notebooks."""
    for name, path in listed(folder).items():
        if only not in (None, name) or not path.is_file():
            continue
        try:
            subject = asked.read_subject(path, beside=True)
        except ModernizerError as error:  # a notebook in another language, say
            yield name, {"opening": {"refused": error.code}}
        else:
            yield name, answers(subject)


def listed(folder: Path) -> dict[str, Path]:
    """Return the notebooks of a folder by id.

    Raises:
        OSError: The folder has no table of them.
    """
    with (folder / "notebooks.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["id"]: folder / row["id"] / row["path"] for row in rows}


def answers(subject: asked.Subject) -> Answers:
    """Return the answers to all questions about a notebook."""
    return {question: answer(question, subject) for question in asked.QUESTIONS}


def answer(question: str, subject: asked.Subject) -> asked.Answer:
    """Return the answer to a question; if it raises an error, that."""
    started = time.process_time()
    try:
        return asked.without_empty(asked.QUESTIONS[question](subject))
    except Exception as error:  # noqa: BLE001 # it is an answer too, which must not change
        return {"raised": f"{type(error).__name__}: {error}"[:300]}
    finally:
        seconds[question] = seconds.get(question, 0.0) + time.process_time() - started


seconds: dict[str, float] = {}
"""Processor time by question."""


def hashed(found: Answers) -> dict[str, str]:
    """Return a short hash of each answer."""
    return {
        name: hashlib.sha256(json.dumps(one, sort_keys=True).encode()).hexdigest()[:12]
        for name, one in found.items()
    }


@dataclass(frozen=True)
class Part:
    """A part of the golden answers.

    Attributes:
        name: Its name.
        source: Yields id and answers of all, or of the one with an id.
        hashes: Whether hashes of the answers are stored.
        may_lack: Whether some of what was recorded may be absent here.
    """

    name: str
    source: Callable[[str | None], Iterator[tuple[str, Answers]]]
    hashes: bool
    may_lack: bool = False

    @property
    def file(self) -> Path:
        """Where they are stored."""
        return FOLDER / f"{self.name}.json"

    def now(self, only: str | None) -> dict[str, object]:
        """Return the answers of now, as they are stored."""
        return {name: hashed(one) if self.hashes else one for name, one in self.source(only)}

    def recorded(self) -> dict[str, object]:
        """Return the recorded answers; none if they were never recorded."""
        if not self.file.is_file():
            return {}
        found: dict[str, object] = json.loads(self.file.read_text("utf-8"))
        return found


def all_parts(folder: Path | None) -> list[Part]:
    """Return the parts that can be asked: strangers' notebooks only if their folder is here."""
    found = [
        Part("examples", examples, hashes=False),
        Part("integrity", integrity, hashes=False),
        Part("readers", readers, hashes=True),
    ]
    if folder is not None:
        found.append(
            Part("strangers", lambda only: strangers(folder, only), hashes=True, may_lack=True)
        )
    return found


def differences(part: Part, recorded: dict[str, object], now: dict[str, object]) -> Iterator[str]:
    """Yield, for each answer that is another one than recorded, a text that shows the change."""
    for name in [*recorded, *(name for name in now if name not in recorded)]:
        old, new = recorded.get(name), now.get(name)
        if new is None and part.may_lack:
            continue
        if not isinstance(old, dict) or not isinstance(new, dict):
            yield f"{part.name} {name}: {'gone' if new is None else 'new'}"
            continue
        for question in dict.fromkeys([*old, *new]):
            before, after = old.get(question), new.get(question)
            if before != after:
                yield f"{part.name} {name}: {question}" + _changed_lines(before, after)


def _changed_lines(before: object, after: object) -> str:
    if isinstance(before, str) or isinstance(after, str):
        return ""
    old, new = (_indented(one).splitlines() for one in (before, after))
    lines = list(difflib.unified_diff(old, new, n=1, lineterm=""))[2:]
    return "".join(f"\n    {line}" for line in lines)


def written(found: dict[str, dict[str, object]]) -> str:
    """Return answers as they are stored: a line for each question about each notebook."""

    def entry(name: str, answers: dict[str, object]) -> str:
        lines = (f"  {_line(question)}: {_line(answer)}" for question, answer in answers.items())
        return f" {_line(name)}: {{\n" + ",\n".join(lines) + "\n }"

    return "{\n" + ",\n".join(entry(name, one) for name, one in found.items()) + "\n}\n"


def _indented(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(usage=(__doc__ or "").partition("usage:\n")[2])
    parser.add_argument("action", choices=("record", "compare", "show"))
    parser.add_argument("id", nargs="?")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--strangers", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    if given.strangers is not None and not (given.strangers / "notebooks.tsv").is_file():
        parser.error(f"{given.strangers} has no notebooks.tsv")
    chosen = [part for part in all_parts(given.strangers) if given.only in (None, part.name)]
    if given.action == "show":
        if given.id is None:
            parser.error("show needs an id")
        return show(given.id, chosen)
    count = 0
    FOLDER.mkdir(exist_ok=True)
    for part in chosen:
        started = time.process_time()
        now = part.now(given.id)
        recorded = part.recorded()
        if given.id is not None:
            recorded = {name: one for name, one in recorded.items() if name == given.id}
        absent = [name for name in recorded if name not in now] if part.may_lack else []
        if given.action == "record":
            kept = part.recorded() if part.may_lack or given.id is not None else {}
            part.file.write_text(written({**kept, **now}), "utf-8")
        else:
            for text in differences(part, recorded, now):
                count += 1
                print(text)
        if absent:
            print(f"LEFT OUT, not in the folder: {', '.join(absent)}", file=sys.stderr)
        print(f"{part.name}: {len(now)}, {time.process_time() - started:.0f} s", file=sys.stderr)
    if given.strangers is None and given.only is None:
        print("LEFT OUT: the strangers' notebooks (--strangers FOLDER)", file=sys.stderr)
    for name, taken in sorted(seconds.items(), key=lambda one: -one[1])[:8]:
        print(f"  {taken:6.1f} s  {name}", file=sys.stderr)
    if given.action == "compare":
        print(f"{count} answers are others than recorded.", file=sys.stderr)
    return 1 if count else 0


def show(name: str, parts: Sequence[Part]) -> int:
    """Print the answers of one notebook, or of one part of the patches; return the exit code."""
    found = [answers for part in parts for _, answers in part.source(name)]
    for one in found:
        print(_indented(one))
    if not found:
        print(f"{name} is no id.", file=sys.stderr)
    return 0 if found else 2


if __name__ == "__main__":
    sys.exit(main())
