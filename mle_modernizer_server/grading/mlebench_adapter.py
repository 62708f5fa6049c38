"""MLE-bench's own grader, if installed: its package in some Python, and prepared data.

Source: https://github.com/openai/mle-bench (`mlebench.grade.grade_csv`).
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server.domain.errors import BadInput, BadSetting
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.untrusted.programs import neutral_folder, program_on_path

_SCRIPT = """
import json, sys
from pathlib import Path
from mlebench.grade import grade_csv
from mlebench.registry import registry
csv, slug, root = sys.argv[1:]
registry = registry.set_data_dir(Path(root))
report = grade_csv(Path(csv), registry.get_competition(slug))
print("MLE-BENCH-REPORT", json.dumps(report.to_dict(), default=str))
"""
_MARK = "MLE-BENCH-REPORT "
_LOG_HEAD = re.compile(r"\[[^\]]*\] \[[^\]]*\] ")
"""Time and line of code, which its log puts before each message."""
_SECONDS = 3600.0


@dataclass(frozen=True)
class MleBenchReport:
    """Result of MLE-bench's grader.

    Attributes:
        score: Rounded to five decimals, as it does; None for an invalid submission.
        lower_is_better: The direction, from the leaderboard.
        words: Its last lines: why a submission is invalid.
    """

    score: float | None
    lower_is_better: bool
    words: str


def find_python() -> str | None:
    """Return a Python with the package: this one, else that of the `mlebench` command; or None."""
    if importlib.util.find_spec("mlebench") is not None:
        return sys.executable
    command = program_on_path("mlebench")
    if command is None:
        return None
    beside = Path(command).resolve().parent
    names = ("python3", "python", "python.exe")
    return next((str(beside / name) for name in names if (beside / name).is_file()), None)


def grade_with_mlebench(
    csv: Path, slug: str, root: Path, *, python: str | None = None, seconds: float = _SECONDS
) -> MleBenchReport:
    """Grade a CSV with MLE-bench's own grader, in a process of its own.

    Args:
        csv: The submission.
        slug: The competition, prepared by `mlebench prepare`.
        root: The data root.
        python: The Python that has the package; None looks for one.
        seconds: Limit of wall-clock time.

    Raises:
        BadSetting: There is no such package.
        BadInput: It could not grade, e.g. because the data is not prepared; its last words.
    """
    interpreter = python or find_python()
    if interpreter is None:
        raise BadSetting(coded("mlebench.not-installed"))
    if os.path.dirname(interpreter):  # noqa: PTH120  # a bare name is looked for on PATH
        interpreter = str(Path(interpreter).absolute())
    command = [interpreter, "-c", _SCRIPT, str(csv.absolute()), slug, str(root.absolute())]
    try:
        ended = subprocess.run(
            command,
            cwd=neutral_folder(),  # Python looks for modules there
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
            errors="replace",
        )
    except subprocess.TimeoutExpired as error:
        raise BadInput(coded("mlebench.too-long", seconds=seconds)) from error
    except OSError as error:
        raise BadSetting(
            coded("program.not-started", program=interpreter, why=str(error.strerror))
        ) from error
    said = [line for line in ended.stdout.splitlines() if line.startswith(_MARK)]
    lines = (_LOG_HEAD.sub("", line, count=1) for line in ended.stderr.splitlines())
    words = "\n".join(line for line in lines if line.strip())[-1_000:]
    if ended.returncode or not said:
        last = words.splitlines()[-1] if words else f"exit code {ended.returncode}"
        raise BadInput(coded("mlebench.failed", last=last))
    report = json.loads(said[-1].removeprefix(_MARK))
    score = report["score"]
    return MleBenchReport(
        None if score is None else float(score), bool(report["is_lower_better"]), words
    )
