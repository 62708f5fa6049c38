"""Environments of other years, made first and again, and the examples' targets found in them.

Each year's environment is made twice into an empty folder: with an empty cache of uv, and from the
cache. Then *Find the target* runs each example, unchanged, in the libraries of its time, whose main
versions are named to it (`--era`); its score stands beside the one that was recorded when the
example was made. Prints and asserts nothing; it needs a package index, and a Python of each time or
one that uv can fetch.

    python benchmarks/own_time.py [--years 2016 2018 …] [--examples NAME …]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from mle_modernizer_server.domain.environments import EnvironmentOrder, EnvironmentTime
from mle_modernizer_server.domain.errors import EnvironmentUnavailable
from mle_modernizer_server.environments.kept import KeptEnvironments
from mle_modernizer_server.environments.making import Maker
from mle_modernizer_server.environments.pythons import python_of_date
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.environments import release_table

EXAMPLES = Path(__file__).parents[1] / "examples"
YEARS = (2016, 2018, 2019, 2021, 2023)
PACKAGES = ("numpy", "pandas", "scipy", "scikit-learn", "matplotlib", "seaborn", "xgboost")
SHOWN = ("numpy", "pandas", "scikit-learn", "xgboost")
LIBRARIES = {name: name for name in ("pandas", "xgboost", "lightgbm")} | {"sklearn": "scikit-learn"}
"""What a person knows of the time: the main libraries' versions, by their modules."""
SLOW = "digits_2018_knn_slow_loop"
"""Runs for nine minutes in its own time; left out unless it is named."""


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--years", type=int, nargs="*", default=YEARS)
    names = sorted(path.stem for path in (EXAMPLES / "notebooks").glob("*.ipynb"))
    short = [name for name in names if name != SLOW]
    parser.add_argument("--examples", nargs="*", default=short, choices=names)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environments(folder, given.years)
        targets(folder, given.examples)


def environments(folder: Path, years: Sequence[int]) -> None:
    """Make each year's environment with an empty cache, and again from the cache."""
    print(f"{'year':6}{'first':>9}{'cached':>9}  made with")
    own = os.environ.get("UV_CACHE_DIR")
    for year in years:
        os.environ["UV_CACHE_DIR"] = str(folder / f"uv-{year}")
        until = date(year, 6, 30)
        order = EnvironmentOrder(
            requirements=PACKAGES,
            time=EnvironmentTime.OWN,
            until=until,
            python=python_of_date(until, release_table()["python"]),
        )
        seconds, made = [], ""
        for turn in ("first", "cached"):
            kept = KeptEnvironments(folder / f"{year}-{turn}")
            started = time.monotonic()
            try:
                found = Maker(kept, release_table()).make(order)
            except EnvironmentUnavailable as error:
                made = text(error.message)
                break
            seconds.append(f"{time.monotonic() - started:.1f} s")
            versions = [f"{name} {found.versions.get(name, 'not there')}" for name in SHOWN]
            remarks = [one.code.value for one in found.remarks]
            made = ", ".join([f"Python {found.python}", *versions, *remarks])
        print(f"{year:<6}{''.join(f'{one:>9}' for one in seconds)}  {made}", flush=True)
    if own is None:
        os.environ.pop("UV_CACHE_DIR", None)
    else:
        os.environ["UV_CACHE_DIR"] = own


def targets(folder: Path, names: Sequence[str]) -> None:
    """Find each example's target in the libraries of its time."""
    data = folder / "data"
    command = (sys.executable, str(EXAMPLES / "make_data.py"), "--root", str(data))
    subprocess.run(command, check=True, capture_output=True)
    print(f"{'example':36}{'recorded':>11}{'found':>11}{'seconds':>9}  in")
    for name in names:
        notebook = json.loads((EXAMPLES / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
        ours = notebook["metadata"]["mle_modernizer"]
        recorded, libraries = ours["target_score"], ours["libraries"]
        notebook["metadata"]["mle_modernizer"] = {"competition": ours["competition"]}
        code = "".join("".join(cell["source"]) for cell in notebook["cells"])
        era = ", ".join(
            f"{module} {libraries[name]}" for module, name in LIBRARIES.items() if module in code
        )
        path = folder / f"{name}.ipynb"
        path.write_text(json.dumps(notebook), "utf-8")
        report = folder / f"{name}.json"
        started = time.monotonic()
        ended = subprocess.run(
            (
                *("jupyter-modernize", "target", str(path), "--data-root", str(data)),
                *("--era", era, "--time-limit", "1200", "--report", str(report)),
            ),
            capture_output=True,
            text=True,
        )
        seconds = time.monotonic() - started
        if ended.returncode:
            told = (ended.stderr or ended.stdout).strip().splitlines()
            print(f"{name:36}{recorded:>11}{'-':>11}{seconds:>9.0f}  {told[-1] if told else ''}")
            continue
        found = json.loads(report.read_text("utf-8"))
        own = found["own_time"]
        packages = (f"{name} {version}" for name, version in sorted(own["packages"].items()))
        versions = ", ".join([f"Python {own['python']}", *packages])
        score = f"{found['settings']['target_score']:.6f}".rstrip("0")
        print(f"{name:36}{recorded:>11}{score:>11}{seconds:>9.0f}  {versions}", flush=True)


if __name__ == "__main__":
    main()
