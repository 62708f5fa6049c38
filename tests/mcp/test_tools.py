"""The tools as an agent's client uses them: the SDK's own client, a real server process."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

OLD = "import numpy as np\nx = np.float(3)\nprint(x)"
FIXED = "import numpy as np\nx = float(3)\nprint(x)"


def write_notebook(place: Path, *sources: str) -> Path:
    cells = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "source": source,
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        for number, source in enumerate(sources, start=1)
    ]
    place.write_text(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), "utf-8"
    )
    return place


def names_below(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*")}


@asynccontextmanager
async def connected(root: Path) -> AsyncIterator[Client]:
    start = "from mle_modernizer_server.cli.command import command; command()"
    command = ["-c", start, "mcp", "--root", str(root)]
    server = StdioServerParameters(
        command=sys.executable, args=[*command, "--sandbox", "process"], env=dict(os.environ)
    )
    async with Client(server) as client:
        yield client


async def ask(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer
    found = answer.structured_content
    assert isinstance(found, dict)
    return found


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    return str(answer.content[0].text)


@pytest.mark.asyncio
async def test_agent_repairs_a_notebook_from_outside(tmp_path: Path) -> None:
    book = write_notebook(tmp_path / "old.ipynb", OLD)
    before = book.read_bytes()
    async with connected(tmp_path) as client:
        foreseen = await ask(client, "what_will_break", notebook="old.ipynb")
        assert [(one["cell"], one["rule"]) for one in foreseen["breakages"]] == [
            (1, "numpy-builtin-aliases")
        ]
        run = await ask(client, "run_sealed", notebook="old.ipynb")
        (error,) = run["errors"]
        assert error["kind"] == "root" and "np.float" in error["error"]
        known = await ask(
            client,
            "explain_error",
            notebook="old.ipynb",
            error_name="AttributeError",
            error_message=error["error"].partition(": ")[2],
        )
        assert "NumPy 1.24" in known["explanation"]
        proposed = await ask(client, "propose", notebook="old.ipynb")
        (edit,) = proposed["edits"]
        assert edit["new_source"] == FIXED
        cells = {edit["cell_id"]: edit["new_source"]}
        assert (await ask(client, "check_patch", notebook="old.ipynb", cells=cells))["allowed"]
        await ask(client, "apply_to_copy", notebook="old.ipynb", cells=cells, output="new.ipynb")
        assert not (await ask(client, "run_sealed", notebook="new.ipynb"))["errors"]
    assert book.read_bytes() == before


CHEAT = (
    "import pandas as pd\nfrom sklearn.ensemble import RandomForestClassifier\n"
    "train = pd.read_csv('train.csv')\ntest = pd.read_csv('test.csv')\n"
    "model = RandomForestClassifier().fit(train[['a']], train['y'])",
    "test['y'] = model.predict(test[['a']])\ntest[['id', 'y']].to_csv('submission.csv')",
)


@pytest.mark.asyncio
async def test_bad_calls_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    write_notebook(root / "old.ipynb", *CHEAT)
    write_notebook(tmp_path / "secret.ipynb", "1")
    (root / "link.ipynb").symlink_to(tmp_path / "secret.ipynb")
    faked = {"c2": CHEAT[1].replace("model.predict(test[['a']])", "1")}
    async with connected(root) as client:
        for path in ("../secret.ipynb", str(tmp_path / "secret.ipynb"), "link.ipynb"):
            assert "is not below" in await refusal(client, "what_will_break", notebook=path)
        assert await refusal(client, "what_will_break", notebook="none.ipynb")
        verdict = await ask(client, "check_patch", notebook="old.ipynb", cells=faked)
        assert not verdict["allowed"] and verdict["refused"]
        for cells, output in (
            (faked, "new.ipynb"),
            ({"2": CHEAT[1] + "\n"}, "../new.ipynb"),
            ({"2": CHEAT[1] + "\n"}, "old.ipynb"),
            ({"9": "1"}, "new.ipynb"),
        ):
            assert await refusal(
                client, "apply_to_copy", notebook="old.ipynb", cells=cells, output=output
            )
    assert names_below(tmp_path) == {"root", "secret.ipynb", "link.ipynb", "old.ipynb"}


@pytest.mark.asyncio
async def test_rules_are_resources_by_library_and_version(tmp_path: Path) -> None:
    async with connected(tmp_path) as client:
        every = await client.read_resource("rules://numpy")
        late = await client.read_resource("rules://numpy/2.0")
    found = [json.loads(answer.contents[0].text) for answer in (every, late)]
    assert len(found[0]) > len(found[1]) > 0
    assert all(rule["since"] >= "2" for rule in found[1])
