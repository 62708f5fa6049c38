"""The command line's arguments, their defaults and what is wrong usage."""

from __future__ import annotations

import re

import pytest

from mle_modernizer_server import __version__
from mle_modernizer_server.cli.main import _COMMANDS, main
from mle_modernizer_server.cli.options import _PARSERS, parse
from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.session import Mode


def test_the_notebook_alone_is_enough() -> None:
    options = parse(["old.ipynb"])
    assert (options.only_run, options.mode, options.fixers) == (False, None, None)
    assert (options.threshold, options.max_fixes, options.scope) == (0.1, 16, FixScope.FILE)


def test_every_option_is_understood() -> None:
    line = (
        "old.ipynb --competition titanic --data-root d --target-score -0.5 --auto "
        "--fixer rules,llm --scope cell --sandbox process --time-limit 90 --threshold 0.05 "
        "--max-fixes 0 --output new.ipynb --report r.json --force "
        "--llm-base-url http://localhost:1/v1 --llm-model m"
    )
    options = parse(line.split())
    assert options.mode is Mode.AUTO
    assert options.fixers == (FixerName.RULES, FixerName.LLM)
    assert options.scope is FixScope.CELL
    assert (options.target_score, options.time_limit, options.threshold) == (-0.5, 90.0, 0.05)
    assert (options.max_fixes, options.force, options.llm_model) == (0, True, "m")


def test_limits_become_settings() -> None:
    line = "a.ipynb --max-tokens 200,000 --max-cost 0.5 --max-minutes 90 --patience 2 "
    options = parse(f"{line} --alternatives 3 --allow-experiment-changes".split())
    assert options.limits.settings() == {
        "max_tokens": 200_000,
        "max_usd": 0.5,
        "max_seconds": 5400.0,
        "patience": 2,
        "alternatives": 3,
        "allow_experiment_changes": True,
    }
    assert parse(["a.ipynb"]).limits.settings() == {}
    assert parse(["run", "a.ipynb"]).limits.settings() == {}


def test_run_takes_what_a_run_needs() -> None:
    options = parse(["run", "old.ipynb", "--target-score", "0"])
    assert options.only_run
    assert options.target_score == 0.0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "NOTEBOOK"),
        ("a.ipynb --target-score high", "'high' is not a finite number"),
        ("a.ipynb --target-score nan", "'nan' is not a finite number"),
        ("a.ipynb --threshold 0", "above 0"),
        ("a.ipynb --time-limit -3", "above 0"),
        ("a.ipynb --max-fixes 1.5", "0 to 1000"),
        ("a.ipynb --max-tokens 0", "whole number from 1"),
        ("a.ipynb --max-cost 0", "above 0"),
        ("a.ipynb --max-minutes x", "not a finite number"),
        ("a.ipynb --fixer magic", "'magic' is not rules, llm"),
        ("a.ipynb --fixer rules,rules", "is not rules, llm"),
        ("a.ipynb --scope line", "'line' is not file or cell"),
        ("a.ipynb --auto --step", "not allowed with"),
        ("a.ipynb --llm-api-key secret", "unrecognized arguments"),
        ("run a.ipynb --auto", "unrecognized arguments"),
        ("a.ipynb --auto --outptu=b.ipynb", "Did you mean --output?"),
        ("improve a.ipynb --fold 3", "Try `jupyter modernize improve --help`"),
        ("nowhere.ipynb", "nowhere.ipynb"),
    ],
)
def test_wrong_usage_ends_with_two_and_says_why(
    line: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: object = main(line.split())
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    said = capsys.readouterr().err
    assert words in said
    assert "usage:" not in said


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert __version__ in capsys.readouterr().out


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    listed = {line.split()[0] for line in lines if re.match(r"  [a-z]+ {2,}", line)}
    assert listed == {*_COMMANDS, *_PARSERS}


def test_the_help_documents_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["--help"], ["run", "--help"]):
        with pytest.raises(SystemExit):
            main(line)
        text = capsys.readouterr().out
        assert "exit codes:" in text
        assert "130" in text
