"""What is installed, and what a notebook's file tells, without running it."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from mle_modernizer_server.domain.environment import Interpreter
from mle_modernizer_server.domain.errors import SandboxUnavailable
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.environments.discovery import interpreter_at
from mle_modernizer_server.execution.documents import traces_from_json
from mle_modernizer_server.execution.pip.installed import installed_packages
from mle_modernizer_server.execution.sandboxes.process import Process
from tests.fixing.rules.executed.environment import environment
from tests.refusals import refused


async def test_all_packages_of_the_sandbox_are_known_by_import_name() -> None:
    found = await installed_packages(Process())
    assert found.packages["sklearn"] == importlib.metadata.version("scikit-learn")
    assert found.packages["yaml"] == importlib.metadata.version("PyYAML")
    assert await installed_packages(Process()) is found, "asked once"


async def test_a_sandbox_with_a_python_of_its_own_is_asked() -> None:
    theirs = Environment(python="3.6.8", packages={"pandas": "0.23.4"})

    class Elsewhere(Process):
        async def installed(self, script: str) -> Environment:
            return theirs

    assert await installed_packages(Elsewhere()) is theirs


async def test_a_python_that_does_not_answer_is_a_clear_error(
    tmp_path: Path,
) -> None:
    nothing = Interpreter(Path("/no/such/python"), (tmp_path,))
    with refused(SandboxUnavailable, match="cannot be listed"):
        await installed_packages(Process(), nothing)


async def test_another_python_is_asked_for_its_own_packages() -> None:
    other = environment("kaggle")
    found = await installed_packages(Process(), interpreter_at(other.python))
    assert found.packages["pandas"] == other.installed.packages["pandas"]
    ours = await installed_packages(Process())
    assert found.packages["pandas"] != ours.packages.get("pandas")


def test_a_files_traces_are_read_with_care() -> None:
    output = {"output_type": "stream", "text": ["\x1b[31mpandas\x1b[0m ", "0.23.4\n"]}
    cell = {
        "cell_type": "code",
        "metadata": {"execution": {"iopub.status.idle": "2020-03-01T10:00:00.1Z"}},
        "outputs": [output, {"data": {"text/plain": "'1.0'"}}, 7],
    }
    found = traces_from_json(
        {
            "metadata": {"language_info": {"version": "3.6.6"}, "kernelspec": {"name": "python3"}},
            "cells": [cell, 3],
        }
    )
    assert (found.python, found.kernel, found.dates) == ("3.6.6", "python3", ("2020-03-01",))
    assert found.outputs == "pandas 0.23.4\n\n'1.0'"
    sheets = {"worksheets": [{"cells": [{"outputs": [{"text": "x" * 50_000}]}]}]}
    assert len(traces_from_json(sheets).outputs) == 2_000
    for odd in ({"metadata": 3, "cells": "no"}, {"worksheets": [None]}, {}):
        assert traces_from_json(odd).outputs == ""
