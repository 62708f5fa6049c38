"""Plugins of the whole run: pytest takes them from the topmost conftest only."""

from __future__ import annotations

import gc
import multiprocessing.util
import os
import sys
from collections.abc import Iterator
from functools import wraps

import pytest
from hypothesis import HealthCheck, settings

# Nothing is downloaded for a notebook that imports what is not here; the tests of that allow it.
os.environ["MLE_MODERNIZER_MAKE_ENVIRONMENTS"] = "no"
# Neither does a search leave anything for the next one.
os.environ["MLE_MODERNIZER_MEMORY"] = "no"

pytest_plugins = ("pytest_jupyter.jupyter_server",)

# How long an example takes says how busy the machine is, not whether the product is right.
settings.register_profile("any-speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-speed")


_LONGEST_NAME = 100
"""Characters of a parameter that name its test."""


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test after the beginning of what is long.

    A name of megabytes goes to and from every worker, into the cache and into the environment of
    each process that is started.
    """
    if isinstance(val, (str, bytes)) and len(val) > _LONGEST_NAME:
        return f"{val[:_LONGEST_NAME]!a}... of {len(val)}"
    return None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the garbage collector what lives as long as the tests: it walks it all each time."""
    gc.collect()
    gc.freeze()


# Tests that start a process are marked `process`: `make test` runs a few of them, by name.

_PROCESS_FIXTURES = frozenset(
    {"jp_serverapp", "jp_fetch", "cluster", "run", "run_in", "run_in_each", "run_isolated"}
    | {"run_plainly", "closed", "closed_in_each", "narrow", "box", "site"}
)
"""Fixtures that start a kernel, a server or another process."""
_PROCESS_FOLDERS = (
    "batch/",
    "cli/",
    "diagnosis/test_real_run.py",
    "environments/",
    "examples/test_examples_in_containers.py",
    "execution/attacks/",
    "execution/kernel/test_inside.py",
    "execution/pip/",
    "execution/sandboxes/",
    "fixing/rules/test_addresses.py",
    "fixing/rules/test_executed.py",
    "grading/test_grader.py",
    "grading/test_own_process.py",
    "mcp/",
    "packaging/test_wheel.py",
    "papers/test_process.py",
    "reproducing/test_cited_works.py",
    "web/",
    "workflow/test_cancelled_auto.py",
    "workflow/test_completion.py",
    "workflow/test_decide.py",
    "workflow/test_doubt.py",
    "workflow/test_end_of_waiting.py",
    "workflow/test_files_elsewhere.py",
    "workflow/test_kept_repairs.py",
    "workflow/test_noise.py",
    "workflow/test_not_reviewed.py",
    "workflow/test_proving.py",
    "workflow/test_recovery.py",
    "workflow/test_reproducing.py",
    "workflow/test_restoring.py",
    "workflow/test_resuming.py",
    "workflow/test_saved_outputs.py",
    "workflow/test_submission.py",
    "workflow/test_waiting.py",
    "workflow/test_writing.py",
)
"""Folders and files below `tests` in which most tests start one."""
_PURE_FILES = (
    *(f"batch/test_{name}.py" for name in ("manifest", "ration", "report")),
    *(f"cli/test_{name}.py" for name in ("arguments", "catalogue", "exit_codes")),
    *(f"cli/test_{name}.py" for name in ("harmless_text", "settings_page", "summary")),
    *(f"environments/test_{name}.py" for name in ("dating", "odd_environments")),
    *(f"environments/test_{name}.py" for name in ("requirements", "source_archives")),
    "web/test_endpoint.py",
)
"""Files in these folders without a process."""
_PROCESS_EVENTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"})
_started: list[str] = []
"""Processes that the current test started, by the audit event that reported them."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that start processes, by their folder and their fixtures."""
    tests = config.rootpath / "tests"
    for item in items:
        inside = item.path.is_relative_to(tests)
        place = item.path.relative_to(tests).as_posix() if inside else ""
        fixtures = getattr(item, "fixturenames", ())
        in_folder = place.startswith(_PROCESS_FOLDERS) and place not in _PURE_FILES
        # The quick tests of the workflow are chosen so that they start none.
        whole = place.startswith("workflow/") and item.get_closest_marker("thorough") is not None
        if in_folder or whole or not _PROCESS_FIXTURES.isdisjoint(fixtures):
            item.add_marker(pytest.mark.process)


def _note_process(event: str, arguments: tuple[object, ...]) -> None:
    command = arguments[0] if arguments else ""
    if event in _PROCESS_EVENTS and command != "uname":  # `platform` runs it, once in a process
        _started.append(f"{event} {command}")


sys.addaudithook(_note_process)
_spawn = multiprocessing.util.spawnv_passfds  # type: ignore[attr-defined]


@wraps(_spawn)
def _noted_spawn(*arguments: object) -> object:
    """Start a process of `multiprocessing`, which raises no audit event."""
    _started.append("multiprocessing")
    return _spawn(*arguments)


multiprocessing.util.spawnv_passfds = _noted_spawn  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def processes_only_if_marked(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that starts a process without the mark."""
    _started.clear()
    yield
    if _started and request.node.get_closest_marker("process") is None:
        pytest.fail(f"it starts a process and is not marked so: {_started[0]}", pytrace=False)
