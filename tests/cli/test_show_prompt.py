"""`jupyter modernize run --show-prompt`: what a model would be sent, without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, LOAD, SUBMIT, SUBMIT_RANKED, Cli, Write
from tests.llm_server import LlmServer


def test_the_prompt_is_written_and_nothing_is_sent(cli: Cli, write: Write, tmp_path: Path) -> None:
    output = tmp_path / "prompt.txt"
    secret = "password = 'hunter2-and-more'"
    later = "if False:\n    import stellargraph, no_package_of_this_name"
    with LlmServer() as server:
        address = ("--llm-base-url", server.base_url, "--llm-model", "stand-in")
        ended = cli(
            *(
                "run",
                write(LOAD, f"{secret}\n{later}\n{BROKEN}", SUBMIT_RANKED),
                "--target-score",
                "1",
            ),
            *("--show-prompt", output, "--scope", "cell", *address),
        )
        assert server.requests == []
    assert ended.code == 1
    assert f"What a model would be sent is in {output}; nothing was sent." in ended.out
    text = output.read_text(encoding="utf-8")
    assert text.startswith("To: stand-in at 127.0.0.1\nFix: error-repair, scope: cell\n")
    assert "Secrets masked: 1" in text
    assert "\nNot installed, and not to be had: stellargraph.\n" in text
    assert "----- system -----\nYou repair machine-learning notebooks" in text
    assert "module 'time' has no attribute 'clock'" in text
    assert "hunter2" not in text


@pytest.mark.thorough
def test_no_model_need_be_configured(cli: Cli, write: Write, tmp_path: Path) -> None:
    output = tmp_path / "prompt.txt"
    cli("run", write(LOAD, BROKEN, SUBMIT_RANKED), "--show-prompt", output)
    assert output.read_text(encoding="utf-8").startswith("To: no model (none is configured) at ")


@pytest.mark.thorough
def test_where_no_fix_is_due_none_is_written(cli: Cli, write: Write, tmp_path: Path) -> None:
    output = tmp_path / "prompt.txt"
    ended = cli("run", write(LOAD, SUBMIT), "--target-score", "1", "--show-prompt", output)
    assert ended.code == 0
    assert "The notebook needs no fix" in ended.out
    assert not output.exists()


def test_a_file_that_exists_is_kept(cli: Cli, write: Write, tmp_path: Path) -> None:
    output = tmp_path / "prompt.txt"
    output.write_text("mine")
    ended = cli("run", write(LOAD, BROKEN), "--show-prompt", output)
    assert ended.code == 2
    assert output.read_text() == "mine"
