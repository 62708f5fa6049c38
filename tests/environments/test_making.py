"""Environments are made whole or not at all. uv is the real one; the packages are tiny."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from mle_modernizer_server.domain.environment import (
    EnvironmentOrder,
    EnvironmentTime,
    MakingProblem,
    MakingProgress,
    MakingStep,
    Requirement,
    Requirements,
    RequirementSource,
)
from mle_modernizer_server.domain.errors import (
    BadInput,
    Conflict,
    EnvironmentUnavailable,
    NotFound,
)
from mle_modernizer_server.environments.making import Maker, order_of
from mle_modernizer_server.environments.store import KeptEnvironments
from mle_modernizer_server.environments.uv import Indexes, Uv
from mle_modernizer_server.words import text
from tests.environments.wheels import Wheels

ROOT = Path(__file__).parents[2]


def order(*requirements: str) -> EnvironmentOrder:
    return EnvironmentOrder(requirements=requirements)


def maker(kept: KeptEnvironments, wheels: Wheels) -> Maker:
    return Maker(kept, uv=Uv(wheels.indexes))


def test_the_newest_are_installed_with_a_kernel_and_recorded(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    wheels.add("alpha", "1.0")
    wheels.add("alpha", "2.0", requires=("beta>=1",))
    wheels.add("beta", "1.5")
    steps: list[MakingProgress] = []
    made = maker(kept, wheels).make(order("alpha"), progress=steps.append)
    assert made.versions == {"alpha": "2.0", "beta": "1.5", "ipykernel": "6.29.0", "pip": "25.0"}
    assert [item.step for item in steps] == [
        MakingStep.RESOLVING,
        MakingStep.INSTALLING,
        MakingStep.CHECKING,
    ]
    assert steps[-1].packages == 4
    assert kept.get(made.id) == made
    assert kept.all() == (made,)
    done = subprocess.run(
        [str(kept.interpreter(made)), "-c", "import alpha, beta; print(alpha.__version__)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "2.0\n"
    found = kept.as_found(made, ("alpha", "beta", "gamma"))
    assert found.missing == ("gamma",)
    assert found.packages == {"alpha": "2.0", "beta": "1.5"}
    assert str(kept.folder(made.id) / "python") in found.directories
    assert any(Path(place) in Path(made.base).parents for place in found.directories)


def test_the_same_order_is_not_made_twice(kept: KeptEnvironments, wheels: Wheels) -> None:
    wheels.add("alpha", "1.0")
    made = maker(kept, wheels).make(order("alpha"))
    again = Maker(kept, uv=Uv(wheels.indexes, program="/nonexistent/uv")).make(order("alpha"))
    assert again == made


def test_no_code_of_a_package_runs_during_installation(
    kept: KeptEnvironments, wheels: Wheels, tmp_path: Path
) -> None:
    proof = tmp_path / "it-ran"
    line = f"import pathlib; pathlib.Path({str(proof)!r}).touch()\n"
    wheels.add("alpha", "1.0", files={"alpha.pth": line, "alpha.py": line})
    made = maker(kept, wheels).make(order("alpha"))
    kept.get(made.id)
    kept.as_found(made, ("alpha",))
    assert not proof.exists()
    subprocess.run([str(kept.interpreter(made)), "-c", ""], check=True)
    assert proof.exists(), "the .pth file works, so that the test can fail"


def test_a_package_without_a_wheel_is_left_out_and_never_built(
    kept: KeptEnvironments, wheels: Wheels, tmp_path: Path
) -> None:
    proof = tmp_path / "it-ran"
    wheels.add("alpha", "1.0")
    wheels.add_source("gamma", "1.0", f"open({str(proof)!r}, 'w')\n")
    made = maker(kept, wheels).make(order("alpha", "gamma"))
    assert made.versions == {"alpha": "1.0", "ipykernel": "6.29.0", "pip": "25.0"}
    assert [(item.code.value, item.package) for item in made.remarks] == [("left-out", "gamma")]
    assert not proof.exists()


def test_pure_python_source_archive_is_installed_without_running(
    kept: KeptEnvironments, wheels: Wheels, tmp_path: Path
) -> None:
    proof = tmp_path / "it-ran"
    setup = f"open({str(proof)!r}, 'w')\n"
    wheels.add("alpha", "1.0", requires=("gamma",))
    wheels.add("delta", "3.0")
    files = {
        "lib/gamma/__init__.py": f"import delta\n{setup}",
        "lib/gamma/data/words.txt": "one",
        "gamma.egg-info/top_level.txt": "gamma\n",
        "gamma.egg-info/requires.txt": "delta>=1\n\n[test]\nnowhere\n",
    }
    wheels.add_source("gamma", "1.0", setup, files)
    wheels.add_source("gamma", "0.9", "", files)
    wheels.add_source("compiled", "1.0", "", {"compiled.py": "", "fast.c": "int x;"})
    made = maker(kept, wheels).make(order("alpha", "compiled"))
    assert made.versions["gamma"] == "1.0"
    assert made.versions["delta"] == "3.0"
    remarks = {(item.code.value, item.package) for item in made.remarks}
    assert remarks == {("from-source", "gamma"), ("left-out", "compiled")}
    assert not proof.exists(), "nothing runs until the notebook imports it"
    command = "import gamma, pathlib; print(*pathlib.Path(gamma.__file__).parent.glob('*/*.txt'))"
    python = str(kept.interpreter(made))
    done = subprocess.run([python, "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("words.txt")
    assert proof.exists()


def test_a_source_archive_is_of_the_date(kept: KeptEnvironments, wheels: Wheels) -> None:
    wheels.add_source("gamma", "1.0", "", {"gamma.py": ""}, uploaded="2018-01-01")
    wheels.add_source("gamma", "2.0", "", {"gamma.py": ""}, uploaded="2021-01-01")
    with wheels.dated() as indexes:
        own = EnvironmentOrder(
            requirements=("gamma",), time=EnvironmentTime.OWN, until=date(2019, 1, 1)
        )
        made = Maker(kept, uv=Uv(indexes)).make(own)
    assert made.versions["gamma"] == "1.0"


def test_a_package_that_needs_one_without_a_wheel_is_left_out(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    wheels.add("alpha", "1.0")
    wheels.add("beta", "1.0", requires=("gamma",))
    wheels.add_source("gamma", "1.0", "raise SystemExit")
    made = maker(kept, wheels).make(order("alpha", "beta"))
    assert made.versions == {"alpha": "1.0", "ipykernel": "6.29.0", "pip": "25.0"}
    assert [(item.code.value, item.package) for item in made.remarks] == [("left-out", "beta")]


def test_a_package_that_does_not_go_with_the_others_is_left_out(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    wheels.add("alpha", "1.0", requires=("delta>=2",))
    wheels.add("beta", "1.0", requires=("delta<2",))
    wheels.add("gamma", "1.0", requires=("delta>=2",))
    wheels.add("delta", "1.0")
    wheels.add("delta", "2.0")
    made = maker(kept, wheels).make(order("alpha", "beta", "gamma"))
    assert {"alpha", "gamma"} <= set(made.versions)
    assert [(item.code.value, item.package) for item in made.remarks] == [("left-out", "beta")]


def test_versions_that_cannot_be_had_are_given_up_and_said(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    wheels.add("alpha", "2.0")
    made = maker(kept, wheels).make(order("alpha==0.1"))
    assert made.versions["alpha"] == "2.0"
    (remark,) = made.remarks
    assert (remark.code.value, remark.wanted, remark.used) == ("pins-dropped", "alpha==0.1", "2.0")


@pytest.mark.thorough
def test_with_one_pin_that_cannot_be_had_the_others_are_given_up(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    for version in ("0.9", "2.0"):
        wheels.add("alpha", version)
    wheels.add("beta", "2.0")
    made = maker(kept, wheels).make(order("alpha==0.9", "beta==0.1"))
    assert (made.versions["alpha"], made.versions["beta"]) == ("2.0", "2.0")
    assert {item.package for item in made.remarks} == {"alpha", "beta"}


def test_versions_that_do_not_go_together_are_given_up_and_said(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    wheels.add("alpha", "1.0", requires=("beta<2",))
    wheels.add("alpha", "2.0", requires=("beta>=2",))
    wheels.add("beta", "1.0")
    wheels.add("beta", "2.0")
    made = maker(kept, wheels).make(order("alpha==1.0", "beta==2.0"))
    assert (made.versions["alpha"], made.versions["beta"]) == ("2.0", "2.0")
    assert {item.package for item in made.remarks} == {"alpha", "beta"}


@pytest.mark.parametrize(
    "text",
    [
        "-r /etc/passwd",
        "--index-url=http://evil.example",
        "-e .",
        "./alpha",
        "/tmp/alpha.whl",
        "alpha @ file:///tmp/alpha.whl",
        "git+https://evil.example/alpha",
        "alpha\n--extra-index-url http://evil.example",
        "https://evil.example/alpha.whl",
        "alpha; os_name == 'nothing'",
    ],
)
def test_whatever_is_no_plain_requirement_never_reaches_uv(
    kept: KeptEnvironments, wheels: Wheels, text: str
) -> None:
    unused = Maker(kept, uv=Uv(wheels.indexes, program="/nonexistent/uv"))
    with pytest.raises(BadInput):
        unused.make(order(text))
    with pytest.raises(BadInput):
        unused.make(EnvironmentOrder(requirements=("alpha",), constraints=(text,)))
    with pytest.raises(BadInput):
        unused.make(EnvironmentOrder(requirements=("alpha",), python="3.7 --help"))


_MAKE = """
import json, sys
from pathlib import Path
from mle_modernizer_server.domain.environment import EnvironmentOrder
from mle_modernizer_server.environments import making
from mle_modernizer_server.environments.store import KeptEnvironments
from mle_modernizer_server.environments.uv import Indexes, Uv
root, index, program = sys.argv[1:4]
making._LEAST_FREE = 0
steps = []
def progress(step):
    steps.append(step.step.value)
    print(step.step.value, flush=True)
uv = Uv(Indexes(("--default-index", index)), program=program or None)
try:
    made = making.Maker(KeptEnvironments(Path(root)), uv=uv).make(
        EnvironmentOrder(requirements=("alpha",)), progress=progress)
    print(json.dumps({"id": made.id, "steps": steps}))
except Exception as error:
    print(json.dumps({"error": type(error).__name__, "problem": getattr(error, "problem", None),
                      "message": str(error)}))
"""


def _making(
    kept: KeptEnvironments, wheels: Wheels, *, program: str = "", before: tuple[str, ...] = ()
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*before, sys.executable, "-c", _MAKE, str(kept.root), wheels.folder.as_uri(), program],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def _slow(tmp_path: Path, command: str) -> str:
    """A uv that waits before one of its commands, so that something can happen meanwhile."""
    program = tmp_path / "slow-uv"
    program.write_text(
        textwrap.dedent(
            f"""\
            #!{sys.executable}
            import os, sys, time
            from uv import find_uv_bin
            if {command!r} in sys.argv:
                time.sleep(2)
            os.execv(find_uv_bin(), ["uv", *sys.argv[1:]])
            """
        )
    )
    program.chmod(0o755)
    return str(program)


def test_two_processes_make_one_environment(
    kept: KeptEnvironments, wheels: Wheels, tmp_path: Path
) -> None:
    wheels.add("alpha", "1.0")
    slow = _slow(tmp_path, "sync")
    both = [_making(kept, wheels, program=slow) for _ in range(2)]
    answers = [json.loads(one.communicate(timeout=60)[0].splitlines()[-1]) for one in both]
    assert answers[0]["id"] == answers[1]["id"]
    steps = sorted((item["steps"] for item in answers), key=len)
    assert steps == [["waiting"], ["resolving", "installing", "checking"]]
    assert len(kept.all()) == 1


def test_who_is_killed_leaves_nothing_that_is_used(
    kept: KeptEnvironments, wheels: Wheels, tmp_path: Path
) -> None:
    wheels.add("alpha", "1.0")
    process = _making(kept, wheels, program=_slow(tmp_path, "sync"))
    assert process.stdout is not None
    while process.stdout.readline().strip() != "installing":
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    assert list(kept.root.glob(".making-*"))
    assert kept.all() == ()
    made = maker(kept, wheels).make(order("alpha"))
    assert kept.all() == (made,)
    time.sleep(2)  # uv, whose parent was killed, has done what it began
    kept.clean()
    assert not list(kept.root.glob(".making-*"))


def test_a_cancel_ends_it_at_once_and_leaves_nothing(
    kept: KeptEnvironments, wheels: Wheels, tmp_path: Path
) -> None:
    wheels.add("alpha", "1.0")
    cancel = threading.Event()

    def on_step(step: MakingProgress) -> None:
        if step.step is MakingStep.INSTALLING:
            threading.Timer(0.3, cancel.set).start()

    slow = Maker(kept, uv=Uv(wheels.indexes, program=_slow(tmp_path, "sync")))
    began = time.monotonic()
    with pytest.raises(EnvironmentUnavailable) as caught:
        slow.make(order("alpha"), progress=on_step, cancel=cancel)
    assert caught.value.problem is MakingProblem.CANCELLED
    assert time.monotonic() - began < 10
    assert kept.all() == ()
    assert not list(kept.root.glob(".making-*"))


def test_no_network_is_said(kept: KeptEnvironments) -> None:
    nowhere = Indexes(("--default-index", "http://127.0.0.1:9/"), (("UV_HTTP_RETRIES", "0"),))
    with pytest.raises(EnvironmentUnavailable) as caught:
        Maker(kept, uv=Uv(nowhere)).make(order("alpha"))
    assert caught.value.problem is MakingProblem.NETWORK
    assert "cannot be reached" in text(caught.value.message)


def test_a_password_of_an_index_is_not_told(kept: KeptEnvironments) -> None:
    secret = Indexes(
        ("--default-index", "http://me:hunter2@127.0.0.1:9/"), (("UV_HTTP_RETRIES", "0"),)
    )
    with pytest.raises(EnvironmentUnavailable) as caught:
        Maker(kept, uv=Uv(secret)).make(order("alpha"))
    assert "hunter2" not in text(caught.value.message)


def test_a_password_of_an_index_is_not_kept(kept: KeptEnvironments, wheels: Wheels) -> None:
    wheels.add("alpha", "1.0")
    with wheels.dated() as indexes:
        secret = tuple(text.replace("//", "//me:hunter2@") for text in indexes.arguments)
        made = Maker(kept, uv=Uv(Indexes(secret))).make(order("alpha"))
    texts = [path.read_bytes() for path in kept.folder(made.id).rglob("*") if path.is_file()]
    assert any(b"127.0.0.1" in text for text in texts)
    assert not any(b"hunter2" in text for text in texts)


def test_a_package_that_does_not_exist_is_left_out(kept: KeptEnvironments, wheels: Wheels) -> None:
    made = maker(kept, wheels).make(order("no-such"))
    assert [(item.code.value, item.package) for item in made.remarks] == [("left-out", "no-such")]


def test_a_full_disk_is_said(
    kept: KeptEnvironments, wheels: Wheels, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = shutil.disk_usage("/")._replace(free=1_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
    with pytest.raises(EnvironmentUnavailable) as caught:
        maker(kept, wheels).make(order("alpha"))
    assert caught.value.problem is MakingProblem.DISK


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="NO BWRAP: it makes a small disk")
def test_a_disk_that_fills_up_meanwhile_is_said(
    kept: KeptEnvironments, wheels: Wheels, tmp_path: Path
) -> None:
    wheels.add("alpha", "1.0", files={"alpha.txt": "0" * 12_000_000})
    kept.root.mkdir()
    small = ("--size", "4000000", "--tmpfs", str(kept.root))
    before = ("bwrap", "--bind", "/", "/", "--dev", "/dev", *small)
    process = _making(kept, wheels, before=before)
    output = process.communicate(timeout=60)[0].splitlines()
    if not output:
        pytest.skip("NO BWRAP: it may make no namespaces here")
    assert json.loads(output[-1])["problem"] == "disk", output


def test_more_than_may_be_downloaded_is_said_before_anything_is(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    wheels.add("alpha", "1.0")
    with wheels.dated() as indexes, pytest.raises(EnvironmentUnavailable) as caught:
        Maker(kept, uv=Uv(indexes), most_download=10).make(order("alpha"))
    assert caught.value.problem is MakingProblem.TOO_LARGE
    assert "alpha" in text(caught.value.message)


def test_what_was_changed_afterwards_is_not_used(kept: KeptEnvironments, wheels: Wheels) -> None:
    wheels.add("alpha", "1.0")
    made = maker(kept, wheels).make(order("alpha"))
    folder = kept.folder(made.id)
    record, lock = folder / "record.json", folder / "pylock.toml"
    (info,) = folder.glob("python/lib/*/site-packages/alpha-1.0.dist-info")
    as_made = {file: file.read_text() for file in (record, lock)}
    changed = as_made[record].replace('"alpha": "1.0"', '"alpha": "6.6"')
    changes: dict[str, Callable[[], object]] = {
        "lock": lambda: lock.write_text(as_made[lock].replace("1.0", "6.6")),
        "lock gone": lock.unlink,
        "record": lambda: record.write_text(changed),
        "seal": lambda: record.write_text(json.dumps({"record": {}, "seal": "x"})),
        "installed": lambda: shutil.rmtree(info),
    }
    for what, change in changes.items():
        assert kept.get(made.id) == made, what
        change()
        with pytest.raises(EnvironmentUnavailable) as caught:
            kept.get(made.id)
        assert caught.value.problem is MakingProblem.TAMPERED, what
        with pytest.raises(EnvironmentUnavailable):
            maker(kept, wheels).make(order("alpha"))
        for file, content in as_made.items():
            file.write_text(content)
    assert kept.all() == ()
    assert kept.broken() == (made.id,)
    kept.remove(made.id)
    assert maker(kept, wheels).make(order("alpha")).versions == made.versions


def test_the_one_not_used_for_the_longest_time_goes_first(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    made = []
    for number, name in enumerate(("alpha", "beta", "gamma")):
        wheels.add(name, "1.0")
        made.append(maker(kept, wheels).make(order(name)))
        os.utime(kept.folder(made[-1].id) / "users", (number, number))
    with kept.using(made[0].id):
        assert kept.trim(made[0].size * 2 + 10, keep=made[2].id) == (made[1].id,)
        with pytest.raises(Conflict):
            kept.remove(made[0].id)
    assert {item.id for item in kept.all()} == {made[0].id, made[2].id}


def test_a_name_that_is_no_environments_is_refused(kept: KeptEnvironments) -> None:
    for name in ("../../etc", "0" * 16, ""):
        with pytest.raises(NotFound):
            kept.remove(name)


def test_what_an_order_asks_for() -> None:
    def needs(*items: tuple[str, str]) -> Requirements:
        return Requirements(
            packages=tuple(
                Requirement(name=name, specifier=specifier, source=RequirementSource.IMPORT)
                for name, specifier in items
            )
        )

    asked = order_of(needs(("seaborn", ""), ("setuptools", ">=40")), further=("stop-words",))
    assert "numpy" in asked.requirements, "seaborn of old does not say it"
    assert "stop-words" in asked.requirements
    assert "tensorflow" in order_of(needs(("keras", "==2.3.1"))).requirements, "its backend"
    assert "nbformat" in order_of(needs(("plotly", ""))).requirements, "else it shows no figure"
    assert "setuptools<81,>=40" in asked.requirements
    assert asked.made_for, "today's are other ones next month"
    assert "xgboost==0.90" in order_of(needs(("xgboost", "==0.90"))).requirements
    assert order_of(needs(("scikit-plot", ""))).constraints == ("scipy<1.12",)
    assert not order_of(needs(("scikit-plot", ""), ("scipy", "==1.13"))).constraints
    if sys.platform == "linux":
        assert "xgboost-cpu" in order_of(needs(("xgboost", ""))).requirements
