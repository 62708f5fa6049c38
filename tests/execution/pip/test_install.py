"""Install lines are carried out before the run, inside the sandbox, from the real index."""

from __future__ import annotations

import importlib.util

from mle_modernizer_server.domain.execution import Ending, ExecutionEventKind


def test_install_lines_are_carried_out_before_the_first_cell(run):
    here = importlib.util.find_spec("six")
    ran = run(
        "!pip install -q six==1.16.0\nimport six\nprint(six.__version__, six.__file__)",
        "!pip install mlem-no-such-package-9",
        "%pip install numpy",
        "!pip install --upgrade pip",
        "!pip install -r missing-requirements.txt",
        "!conda install foo",
    )
    assert ran.execution.errors == ()
    assert ran.text(0).startswith("1.16.0 ")
    installs = {install.cell_id: install for install in ran.execution.pip_installs}
    told = [installs[f"cell-{index}"].message for index in range(6)]
    assert [installs[f"cell-{index}"].ok for index in range(6)] == [
        True,
        False,
        True,
        True,
        False,
        False,
    ]
    assert told[0] == "Installed six 1.16.0."
    assert "No matching distribution found for mlem-no-such-package-9" in told[1]
    assert told[2] == "Already there."
    assert "missing-requirements.txt" in told[4]
    kinds = [event.kind for event in ran.events]
    assert kinds.index(ExecutionEventKind.INSTALLING) < kinds.index(ExecutionEventKind.STARTED)
    # The user's own environment is what it was.
    after = importlib.util.find_spec("six")
    assert (here and here.origin) == (after and after.origin)
    assert ran.execution.seconds < sum(event.seconds for event in ran.events[-1:]) + 1


def test_nothing_is_installed_when_the_user_does_not_want_it(run_isolated):
    ran = run_isolated("!pip install six==1.16.0", install=False)
    assert ran.execution.pip_installs == ()
    assert ran.execution.errors == ()


def test_a_run_cancelled_while_it_installs_ends(run, at, assert_no_process):
    run.cancel_at = at(ExecutionEventKind.INSTALLING)
    ran = run("!pip install mlem-cancelled-package", "print(1)")
    assert ran.execution.ending is Ending.CANCELLED
    assert [install.ok for install in ran.execution.pip_installs] == [False]
    assert_no_process("mlem-cancelled-package")


def test_the_machines_constraints_hold_in_the_sandbox(run, tmp_path, monkeypatch):
    folder = tmp_path / "settings"
    folder.mkdir()
    (folder / "inner.txt").write_text("six==1.15.0\n")
    (folder / "constraints.txt").write_text("-c inner.txt\n")
    (folder / "links").mkdir()
    (folder / "pip.conf").write_text(
        f"[global]\nfind-links = {folder / 'links'}\n[install]\n"
        f"constraint = {folder / 'constraints.txt'}\n"
    )
    monkeypatch.setenv("PIP_CONFIG_FILE", str(folder / "pip.conf"))
    ran = run("!pip install --upgrade six\nimport six\nprint(six.__version__)")
    assert [install.message for install in ran.execution.pip_installs] == ["Installed six 1.15.0."]
    assert ran.text(0) == "1.15.0\n"
