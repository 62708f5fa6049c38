"""What a model costs along a batch, with and without rules made of its fixes.

Every notebook calls two or three of a module's functions by the names and keywords that it had
once; the model is a stand-in that answers each of them rightly. The same batch runs twice. Prints
and asserts nothing.

    python benchmarks/batch_learning.py [--notebooks N] [--changes N]
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mle_modernizer_server.batch.folder import StudyFolder
from tests.llm_server import Answer, LlmServer
from tests.llm_server.answers import Request

SEED = 0
TENTHS = 6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--notebooks", type=int, default=60)
    parser.add_argument("--changes", type=int, default=12, help="how many calls have changed")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        notebooks = Path(root) / "notebooks"
        notebooks.mkdir()
        lines = [
            f"def new_{one}(value, add=1):\n    return value + add\n" for one in changes(given)
        ]
        (notebooks / "toolbox.py").write_text("\n".join(lines))
        draw = random.Random(SEED)
        for number in range(given.notebooks):
            used = draw.sample(changes(given), draw.choice((2, 3)))
            write(notebooks / f"n{number:03}.ipynb", used)
        for name, flags in (("with rules learned", ()), ("without", ("--no-learning",))):
            measure(name, notebooks, Path(root) / name.replace(" ", "-"), flags, given.notebooks)


def changes(given: argparse.Namespace) -> range:
    """The numbers of the calls that have changed."""
    return range(1, given.changes + 1)


def write(path: Path, used: list[int]) -> None:
    """Write a notebook that calls some functions as they were."""
    sources = ["import toolbox\nvalue = 1", *(cell_of(one, "old", "plus") for one in used)]
    cells: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "source": source,
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        for number, source in enumerate(sources)
    ]
    path.write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )


def cell_of(one: int, prefix: str, keyword: str) -> str:
    """A cell with one call."""
    return f"value_{one} = toolbox.{prefix}_{one}(value, {keyword}={one})"


def mended(request: Request) -> Answer:
    """The model's answer: each call that the prompt shows, as it is today."""
    text = ["=== PLAN ===\n- other names"]
    calls = re.findall(r"^value_(\d+) = toolbox\.old_", request.prompt, re.MULTILINE)
    for one in sorted(set(map(int, calls))):
        cell = f"$CELL(^value_{one} = toolbox\\.old_)$"
        text.append(f"=== REPLACE CELL {cell} ===\n{cell_of(one, 'new', 'add')}")
    return Answer(text="\n".join([*text, "=== END ===\n"]))


def measure(name: str, notebooks: Path, out: Path, flags: tuple[str, ...], count: int) -> None:
    """Run the batch and print what each tenth of it cost."""
    with LlmServer(mended) as server:
        command = [
            *("jupyter-modernize", "batch", str(notebooks), "--out", str(out), "--workers", "1"),
            *("--llm-base-url", server.base_url, "--llm-model", "stand-in", *flags),
        ]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    results = sorted(StudyFolder(out).results(), key=lambda one: one.started)
    states = sorted({one.last_state.value for one in results})
    print(f"{name}: {len(results)} notebooks, {', '.join(states)}")
    size = max(count // TENTHS, 1)
    for start in range(0, len(results), size):
        part = results[start : start + size]
        tokens = sum(one.usage.input_tokens + one.usage.output_tokens for one in part)
        calls = sum(one.usage.calls for one in part)
        numbers = f"{start + 1} to {start + len(part)}"
        print(f"  {numbers:>10}  {calls:4} calls  {tokens / len(part):8.0f} tokens a notebook")
    print(f"  rules learned: {len(StudyFolder(out).learned())}", flush=True)


if __name__ == "__main__":
    main()
