"""`jupyter modernize batch`: from a manifest to a folder of results, also when it is cut off."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.batch.manifest import read_lines
from mle_modernizer_server.batch.plan import make_plan
from mle_modernizer_server.batch.study import Line, Study, arm_of
from mle_modernizer_server.domain.statistics import State
from tests.cli.conftest import BROKEN, LOAD, SUBMIT, SUBMIT_RANKED, Cli, Write, start
from tests.workflow.scenes import command_of

KEY = "sk-never-on-disk"


def wait_for(condition: Callable[[], bool], seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_manifest_becomes_results_and_repeating_does_nothing(
    cli: Cli, write: Write, tmp_path: Path, data_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLE_MODERNIZER_API_KEY", KEY)
    answers = data_root / "parity/prepared/private/answers.csv"
    answers.write_text(answers.read_text().replace("\n", ",only-in-the-answers\n"))
    answers.write_text(answers.read_text().replace("Odd,only-in-the-answers", "Odd,Mark", 1))
    write(LOAD, SUBMIT, name="good.ipynb")
    old = write(LOAD, BROKEN, SUBMIT_RANKED, name="old.ipynb")
    before = old.read_bytes()
    (tmp_path / "none.ipynb").write_text("{")
    manifest = tmp_path / "list.csv"
    manifest.write_text("notebook,target\ngood.ipynb,1\nold.ipynb,1\nnone.ipynb,\ngone.ipynb,\n")
    out = tmp_path / "out"
    ended = cli("batch", manifest, "--out", out, "--workers", 2, "--arms", "today,modernized")
    assert ended.code == 1  # two lines are of no use
    assert "line 5 (gone.ipynb): There is no file" in ended.err
    assert "old.ipynb (today): with errors, not reproducible" in ended.out
    results = {(r.line.name, r.arm): r for r in StudyFolder(out).results()}
    assert len(results) == 6
    good, fixed = results["good.ipynb", "today"], results["old.ipynb", "modernized"]
    assert good.last_state is State.ERROR_FREE_REPRODUCIBLE
    assert good.scores[0].score == 1.0
    assert results["old.ipynb", "today"].last_state is State.ERROR_NON_REPRODUCIBLE
    assert fixed.first_state is State.ERROR_NON_REPRODUCIBLE
    assert fixed.last_state is State.ERROR_FREE_REPRODUCIBLE
    assert fixed.modernized
    assert old.read_bytes() == before
    changed = json.loads((out / "notebooks" / f"{fixed.key}.ipynb").read_bytes())
    assert "time.perf_counter" in "".join(changed["cells"][1]["source"])
    assert results["none.ipynb", "today"].message.startswith("none.ipynb is not a notebook")
    for path in out.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert b"only-in-the-answers" not in content
        assert KEY.encode() not in content

    attempts = {path: path.read_bytes() for path in (out / "attempts").iterdir()}
    again = cli("batch", manifest, "--out", out, "--workers", 2, "--arms", "today,modernized")
    assert "8 notebooks" not in again.out
    assert "6 of them done already" in again.out
    assert {path: path.read_bytes() for path in (out / "attempts").iterdir()} == attempts
    status = cli("batch", "--status", out)
    assert "6 done" in status.out
    other = cli("batch", manifest, "--out", out, "--time-limit", 5)
    assert other.code == 2
    assert "different settings (arms, settings)" in other.err


def test_a_plan_is_a_manifest_of_what_was_found(cli: Cli, write: Write, tmp_path: Path) -> None:
    lacks = "import of_no_package\nopen('../input/nowhere.csv')"
    path = write(
        *(LOAD, BROKEN, SUBMIT_RANKED, lacks),
        name="old.ipynb",
        mle_modernizer={"target_score": 0.5},
    )
    ran = json.loads(path.read_bytes())
    ran["cells"][0]["metadata"]["papermill"] = {"duration": 90.4}
    ran["cells"][1]["metadata"]["execution"] = {
        "iopub.execute_input": "2020-01-01T00:00:00.000Z",
        "shell.execute_reply": "2020-01-01T00:00:30.000Z",
    }
    path.write_text(json.dumps(ran))
    (tmp_path / "none.ipynb").write_text("{")
    plan = tmp_path / "plan.csv"
    planned = cli("batch", tmp_path, "--plan", plan)
    assert planned.code == 0
    for line in ("2 notebooks", "1 lack packages (of_no_package 1)", "1 cannot be read"):
        assert line in planned.out
    assert {line[:6] for line in planned.err.splitlines()} == {"1 of 2", "2 of 2"}
    with plan.open() as stream:
        none, old = csv.DictReader(stream)
    assert "not a notebook" in none["found_problem"]
    assert (old["notebook"], old["competition"], old["target"]) == ("old.ipynb", "parity", "0.5")
    assert old["found_stops"] == "2"  # a removed name, and a package that is not there
    assert old["seconds"] == "120"
    assert old["found_missing_packages"] == "of_no_package"
    assert old["found_missing_files"] == "../input/nowhere.csv"
    lines, problems = read_lines(str(plan))
    assert problems == []
    assert lines[1].settings == {"competition": "parity", "target_score": 0.5}
    assert cli("batch", tmp_path, "--plan", plan).code == 2  # it exists


def test_a_plan_that_is_cancelled_leaves_no_process(write: Write, tmp_path: Path) -> None:
    write("x = 1", name="old.ipynb")
    lines, _ = read_lines(str(tmp_path))
    study = Study(
        id="plan", version="1", what="", arms=(arm_of("modernized"),), data_root=str(tmp_path)
    )
    before = set(psutil.Process().children())

    def cancel(number: int, line: Line) -> None:
        assert set(psutil.Process().children()) - before
        signal.raise_signal(signal.SIGINT)

    # what a shell starts in the background ignores it
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            make_plan(lines * 3, study, tmp_path, cancel)
    finally:
        signal.signal(signal.SIGINT, inherited)
    assert set(psutil.Process().children()) <= before


def test_bad_usage_is_refused_before_anything_runs(
    cli: Cli, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mle_modernizer_server.batch.cluster._CONNECT", 1.0)
    write(LOAD, SUBMIT)
    for wrong, words in (
        (["--total-cost", "-1"], "above 0"),
        (["--arms", "yesterday"], "no arm 'yesterday'"),
        (["--arms", "rules,rules"], "different arms"),
        (["--sandbox", "process", "--memory", "1g"], "for the sandbox `docker`"),
        (["--arms", "model:m"], "There is no key"),
        (["--score-cell", "1"], "in a manifest"),
        (["--time-limit", "1e99"], "time_limit"),
        (["--scheduler", "tcp://127.0.0.1:9"], "does not answer"),
    ):
        try:
            ended = cli("batch", tmp_path, "--out", tmp_path / f"out-{words[:4]}", *wrong)
            code, err = ended.code, ended.err
        except SystemExit as stop:
            code, err = int(str(stop.code)), ""
        assert code == 2
        assert words in err or not err
    assert cli("batch", tmp_path / "nothing", "--out", tmp_path / "o").code == 2
    assert cli("batch", "--status", tmp_path).code == 2


def kernels(of: psutil.Process) -> list[psutil.Process]:
    return [
        child
        for child in of.children(recursive=True)
        if "ipykernel_launcher" in " ".join(command_of(child))
    ]


@pytest.fixture
def slow_batch(write: Write, tmp_path: Path) -> subprocess.Popen[str]:
    """A batch whose kernel is at work."""
    write("import time\ntime.sleep(600)", name="slow.ipynb")
    running = start("batch", tmp_path, "--out", tmp_path / "out", "--workers", 1, "--arms", "today")
    own = psutil.Process(running.pid)
    wait_for(lambda: running.poll() is not None or bool(kernels(own)))
    assert running.poll() is None, running.communicate()
    return running


@pytest.mark.thorough
def test_stopping_twice_ends_all_and_leaves_the_notebook_to_do(
    slow_batch: subprocess.Popen[str], tmp_path: Path
) -> None:
    ours = psutil.Process(slow_batch.pid).children(recursive=True)
    slow_batch.send_signal(signal.SIGINT)
    time.sleep(1)
    assert slow_batch.poll() is None  # it waits for the run at work
    slow_batch.send_signal(signal.SIGINT)
    out, err = slow_batch.communicate(timeout=60)
    assert slow_batch.returncode == 130
    assert "press Ctrl+C again" in err
    assert "0 of 1 done" in out
    wait_for(lambda: not any(process.is_running() for process in ours), 20)
    folder = StudyFolder(tmp_path / "out")
    [attempts] = (tmp_path / "out/attempts").iterdir()
    assert [attempt.event.value for attempt in folder.attempts(attempts.stem)] == [
        "began",
        "stopped",
    ]


def test_a_killed_batch_leaves_no_process_and_goes_on(
    slow_batch: subprocess.Popen[str], tmp_path: Path, cli: Cli, write: Write
) -> None:
    ours = psutil.Process(slow_batch.pid).children(recursive=True)
    os.kill(slow_batch.pid, signal.SIGKILL)
    slow_batch.communicate(timeout=60)
    wait_for(lambda: not any(_alive(process) for process in ours), 30)
    write("x = 1", name="slow.ipynb")
    ended = cli("batch", tmp_path, "--out", tmp_path / "out", "--workers", 1, "--arms", "today")
    assert ended.code == 0
    assert "1 of 1 done" in ended.out


def _alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
