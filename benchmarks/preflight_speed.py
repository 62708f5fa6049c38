"""Duration of predicting the errors of 100 cells, and of making the patch; nothing runs.

The cells are those of the example notebooks, as often as needed.

    python benchmarks/preflight_speed.py [CELLS]
"""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.execution.notebook_file import open_notebook
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from mle_modernizer_server.fixing.rules.preflight import preflight, propose_before_run

EXAMPLES = Path(__file__).parents[1] / "examples" / "notebooks"
NEWEST = "9999"
"""A version that has every change."""
REPETITIONS = 5


def main() -> None:
    """Measure and print."""
    cells = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    notebook = notebook_of(cells)
    environment = Environment(
        python="3.12.1", packages={rule.library: NEWEST for rule in all_rules()}
    )
    preflight(notebook, environment, "none")  # warm up one-time imports
    found = preflight(notebook, environment, "none")
    print(f"{cells} cells, {len(all_rules())} entries; median of {REPETITIONS}, seconds")
    say = seconds(lambda: preflight(notebook, environment, "none"))
    patch = seconds(lambda: propose_before_run(notebook, environment, found.era))
    print(f"what will break ({len(found.items)} places)  {say:.2f}")
    print(f"the patch                       {patch:.2f}")


def notebook_of(cells: int) -> Notebook:
    """Return a notebook of that many code cells of the examples."""
    code = [
        cell
        for path in sorted(EXAMPLES.glob("*.ipynb"))
        for cell in open_notebook(path).notebook.code_cells()
    ]
    chosen = itertools.islice(itertools.cycle(code), cells)
    return Notebook(
        cells=tuple(
            cell.model_copy(update={"id": f"c{number}"}) for number, cell in enumerate(chosen)
        )
    )


def seconds(work: Callable[[], object]) -> float:
    """Return the median time of some work."""
    times = []
    for _ in range(REPETITIONS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


if __name__ == "__main__":
    main()
