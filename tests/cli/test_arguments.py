"""The command line's arguments, their defaults and what is wrong usage."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

import pytest

from mle_modernizer_server import __version__
from mle_modernizer_server.cli.arguments import parse_options
from mle_modernizer_server.cli.commands.batch import BatchOptions, study_of
from mle_modernizer_server.cli.main import _COMMANDS, main
from mle_modernizer_server.cli.notebook_options import (
    COMMANDS,
    ImproveOptions,
    ModernizeOptions,
    RunOptions,
    parse,
)
from mle_modernizer_server.cli.paper_options import PaperOptions
from mle_modernizer_server.domain.competition import SplitKind
from mle_modernizer_server.domain.diagnosis import FixScope
from mle_modernizer_server.domain.improvement import BlockRole
from mle_modernizer_server.domain.proposal import FixerName
from mle_modernizer_server.domain.settings import (
    SessionSettings,
    checked_settings,
    flag_of,
    setting_options,
)
from mle_modernizer_server.domain.verification import RehearsalSettings


def test_the_notebook_alone_is_enough() -> None:
    options = parse(["old.ipynb"])
    assert isinstance(options, ModernizeOptions)
    assert (options.auto, options.settings) == (False, {})


def test_every_option_is_understood() -> None:
    line = (
        "old.ipynb --competition titanic --data-root d --target-score -0.5 --auto "
        "--fixer rules,llm --scope cell --sandbox process --time-limit 90 --threshold 0.05 "
        "--max-fixes 0 --output new.ipynb --report r.json --force "
        "--llm-base-url http://localhost:1/v1 --llm-model m"
    )
    options = parse(line.split())
    assert isinstance(options, ModernizeOptions)
    assert (options.auto, options.force, options.llm_model) == (True, True, "m")
    assert options.settings == {
        "competition": "titanic",
        "target_score": -0.5,
        "fixers": (FixerName.RULES, FixerName.LLM),
        "scope": FixScope.CELL,
        "sandbox": "process",
        "time_limit": 90.0,
        "threshold": 0.05,
        "max_fixes": 0,
    }


def test_limits_become_settings() -> None:
    line = "a.ipynb --max-tokens 200,000 --max-cost 0.5 --max-minutes 90 --patience 2 "
    options = parse(f"{line} --alternatives 3 --allow-experiment-changes".split())
    assert options.settings == {
        "max_tokens": 200_000,
        "max_usd": 0.5,
        "max_seconds": 5400.0,
        "patience": 2,
        "alternatives": 3,
        "allow_experiment_changes": True,
    }
    assert parse(["run", "a.ipynb"]).settings == {}


def test_run_takes_what_a_run_needs() -> None:
    options = parse(["run", "old.ipynb", "--target-score", "0"])
    assert isinstance(options, RunOptions)
    assert options.settings == {"target_score": 0.0}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "NOTEBOOK"),
        ("a.ipynb --target-score high", "'high' is not a finite number"),
        ("a.ipynb --target-score nan", "'nan' is not a finite number"),
        ("a.ipynb --threshold 0", "'0' is not a number above 0 and at most 10"),
        ("a.ipynb --threshold 11", "'11' is not a number above 0 and at most 10"),
        ("a.ipynb --distance far", "'far' is not target or floor"),
        ("a.ipynb --measure-noise now", "'now' is not when-cheap, always or never"),
        ("a.ipynb --patience 0", "'0' is not a whole number from 1 to 1000"),
        ("a.ipynb --noise-runs 2", "'2' is not a whole number from 3 to 10"),
        ("a.ipynb --package a/b", "is no package's name"),
        ("a.ipynb --score-from AUC", "needs {} once"),
        ("a.ipynb --rehearse 3", "from 20 to 1000000"),
        ("a.ipynb --time-limit -3", "above 0"),
        ("a.ipynb --max-fixes 1.5", "0 to 1000"),
        ("a.ipynb --max-tokens 0", "whole number from 1"),
        ("a.ipynb --max-cost 0", "above 0"),
        ("a.ipynb --max-minutes x", "not a finite number"),
        ("a.ipynb --fixer magic", "'magic' is not rules, llm"),
        ("a.ipynb --fixer rules,rules", "is not rules, llm"),
        ("a.ipynb --scope line", "'line' is not file or cell"),
        *(
            (f"{command} --era long-ago", "must be a year such as 2018")
            for command in ("a.ipynb", "preflight a.ipynb", "environments --for a.ipynb")
        ),
        ("preflight a.ipynb --rules-time 5000", "'5000' is not a number from 1 to 3600"),
        ("grade a.csv --threshold 11", "'11' is not a number above 0 and at most 10"),
        ("kaggle submit a.csv --competition c --threshold 0", "above 0 and at most 10"),
        ("paper a.pdf --complete --max-tokens 0", "'0' is not a whole number from 1"),
        ("paper a.pdf --max-cost 1", "--max-cost needs --write or --complete"),
        ("probe a.ipynb --old-python p --rows 0", "'0' is not a whole number from 1"),
        ("a.ipynb --max-fixes 1,2", "'1,2' is not a whole number from 0 to 1000"),
        ("run a.ipynb --gpu x", "GPU"),
        ("improve a.ipynb --fold-by city", "'city' is none of random"),
        ("improve a.ipynb --folds 21", "'21' is not a whole number from 1 to 20"),
        ("batch . --out r --total-tokens many", "'many' is not a whole number from 1"),
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
    assert listed == {*_COMMANDS, *COMMANDS}


def test_the_help_documents_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["--help"], ["run", "--help"]):
        with pytest.raises(SystemExit):
            main(line)
        text = capsys.readouterr().out
        assert "exit codes:" in text
        assert "130" in text


def test_published_flags_stay(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    for line in (Path(__file__).parent / "flags.txt").read_text("utf-8").splitlines():
        command, _, flags = line.partition(": ")
        with pytest.raises(SystemExit):
            main([*command.split()[2:], "--help"])
        assert set(flags.split(", ")) <= flags_in(capsys.readouterr().out), command


def flags_in(text: str) -> set[str]:
    """Return the flags that a help text lists, with their placeholders."""
    entries = re.findall(r"^  (-\S.*?)(?:  .*)?$", text, flags=re.MULTILINE)
    return {entry.replace(", ", " or ") for entry in entries}


def test_setting_default_is_a_value_of_its_flag() -> None:
    checked = 0
    for name, (field, option) in setting_options().items():
        default = field.default
        if isinstance(default, Enum) or type(default) in (int, float):
            text = default.value if isinstance(default, Enum) else f"{default / option.unit:g}"
            settings = parse(["a.ipynb", flag_of(name), text]).settings
            assert settings == {name: default}
            assert checked_settings(settings) == SessionSettings()
            checked += 1
    assert checked > 8


def test_settings_in_other_units_and_several_values() -> None:
    line = "a.ipynb --max-minutes 1.5 --package lightgbm --package lightgbm --rehearse --network"
    assert parse(line.split()).settings == {
        "max_seconds": 90.0,
        "packages": ("lightgbm",),
        "rehearsal": RehearsalSettings(),
        "network": True,
    }


def test_batch_takes_the_settings_of_one_notebook() -> None:
    line = "folder --out results --network --package lightgbm --rules-time 60 --memory 2g"
    study = study_of(parse_options(BatchOptions, "batch", line.split()))
    assert study.settings == {"network": True, "packages": ["lightgbm"], "rules_seconds": 60.0}
    assert (study.sandbox, study.containers) == ("docker", {"memory": 2 * 2**30})


def test_folds_and_roles_of_improve_are_parsed() -> None:
    given = parse(["improve", "a.ipynb", "--fold-by", "group:city", "--role", "4=features"])
    assert isinstance(given, ImproveOptions)
    assert given.fold_split == (SplitKind.GROUP, "city")
    assert given.roles == ((4, BlockRole.FEATURES),)


def test_token_limits_take_large_numbers() -> None:
    line = "folder --out results --total-tokens 2,000,000"
    assert parse_options(BatchOptions, "batch", line.split()).total_tokens == 2_000_000
    line = "a.pdf --complete --max-tokens 50_000"
    assert parse_options(PaperOptions, "paper", line.split()).budget.tokens == 50_000


def test_model_is_named_only_for_commands_that_use_one() -> None:
    improve = parse(["improve", "a.ipynb", "--llm-model", "m"])
    assert isinstance(improve, ImproveOptions)
    assert improve.llm_model == "m"
    assert not hasattr(parse(["prove", "a.ipynb"]), "llm_model")


def test_batch_refuses_a_file_of_one_notebook(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["batch", str(tmp_path), "--out", str(tmp_path / "r"), "--file", "a.csv=b.csv"])
    assert "--file is of one notebook" in capsys.readouterr().err
