"""The stand-in itself, where other tests rely on it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from mle_modernizer_server.domain.proposal import Proposal
from mle_modernizer_server.fixing.llm.fixer import LlmFixer
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from tests.fixing.llm.material import fix_request, settings
from tests.llm_server import Answer, LlmServer, Rule, scripted

REPLY = (
    "=== REPLACE CELL $CELL(read_csv)$ ===\n"
    "train = pd.read_csv('/kaggle/input/wine/train.csv')\n=== END ==="
)


@pytest.mark.asyncio
async def test_rules_select_by_prompt_and_name_cells_by_source() -> None:
    chosen = scripted([Rule("no such words", Answer("x")), Rule("sklearn", Answer(REPLY), times=1)])
    with LlmServer(chosen) as server:
        fixer = LlmFixer(settings(server, max_retries=0))
        answer = await fixer.propose(fix_request(), lambda text: None)
    assert isinstance(answer, Proposal)
    assert [edit.cell_id for edit in answer.edits] == ["c1"]


def test_it_lists_its_model() -> None:
    with LlmServer() as server, urllib.request.urlopen(f"{server.base_url}/models") as reply:
        assert json.load(reply)["data"][0]["id"] == "stand-in"


@pytest.mark.process
def test_it_runs_from_the_command_line(tmp_path: Path) -> None:
    script = tmp_path / "answers.json"
    script.write_text(
        json.dumps({"rules": [{"when": "sklearn", "text": REPLY.split("\n")}]}), encoding="utf-8"
    )
    command = [sys.executable, "-m", "tests.llm_server", "--script", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            environ = dict(part.split("=", 1) for part in process.stdout.readline().split())
            fixer = LlmFixer(LlmSettings.from_environment(environ=environ))
            answer = asyncio.run(fixer.propose(fix_request(), lambda text: None))
        finally:
            process.terminate()
    assert isinstance(answer, Proposal)
