"""What is known, and what it says of a notebook, without running anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mle_modernizer_server.fixing.rules.knowledge import all_rules
from tests.cli.conftest import SUBMIT, Cli, Write

OLD = "import pandas as pd\ntest = pd.read_csv('../input/parity/test.csv').ix[:]"

OWN = """\
library: numbers
rules:
- id: numbers-old
  since: "2.0"
  kind: removed
  symptoms:
  - "has no attribute 'old'"
  what: numbers.old was removed.
  replacement: Use numbers.new.
  link: https://example.org
  meaning: rename
  fixes:
  - do: move
    names:
      numbers.old: numbers.new
"""


def test_all_rules_are_listed_and_filtered(cli: Cli) -> None:
    ended = cli("rules", "--json")
    listed = json.loads(ended.out)
    assert ended.code == 0
    assert [one["id"] for one in listed] == [one.id for one in all_rules()]
    assert set(listed[0]) >= {"library", "since", "silent", "automatic", "severity", "link"}

    chosen = json.loads(cli("rules", "--json", "--library", "XGBoost", "--silent").out)
    assert chosen
    assert all(one["library"] == "xgboost" and one["silent"] for one in chosen)
    assert all(one["automatic"] for one in json.loads(cli("rules", "--json", "--automatic").out))


def test_one_rule_is_shown_whole(cli: Cli) -> None:
    ended = cli("rules", "pandas-append")
    assert ended.code == 0
    assert "removed in pandas 2.0" in ended.out
    assert "https://pandas.pydata.org/" in ended.out
    assert json.loads(cli("rules", "pandas-append", "--json").out)["since"] == "2.0"


def test_a_rule_or_library_that_is_not_there_is_said(cli: Cli) -> None:
    ended = cli("rules", "no-such")
    assert ended.code == 2
    assert "no rule 'no-such'" in ended.err
    ended = cli("rules", "--library", "fortran")
    assert (ended.code, ended.out.strip()) == (1, "No rule matches.")


def test_rules_of_ones_own_are_taken_from_a_folder(
    cli: Cli,
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "numbers.yaml").write_text(OWN)
    (folder / "bad.yaml").write_text("library: x\nrules:\n- id: x\n")
    ended = cli("rules", "--library", "numbers", "--rules-path", folder)
    assert ended.code == 0
    assert "numbers-old" in ended.out
    assert "Rules in bad.yaml are left out: line 3" in caplog.text
    assert cli("rules", "numbers-old").code == 2

    monkeypatch.setenv("MLE_MODERNIZER_RULES", str(folder))
    assert cli("rules", "numbers-old").code == 0
    ended = cli("preflight", write("import numbers\nnumbers.old()"), "--sandbox", "process")
    assert "bad.yaml" in ended.out
    assert cli("rules", "--rules-path", tmp_path / "none").code == 2
    monkeypatch.delenv("MLE_MODERNIZER_RULES")
    assert cli("rules", "pandas-append").code == 0


def test_what_will_break_is_listed(cli: Cli, write: Write) -> None:
    path = write("x = 1", OLD, language_info={"name": "python", "version": "3.6.1"})
    ended = cli("preflight", path, "--sandbox", "process")
    assert ended.code == 1
    assert "1 cell will fail." in ended.out
    assert "cell number 2 `import pandas as pd`: fails since pandas 1.0" in ended.out
    assert "Python 3.6" in ended.out
    found = json.loads(cli("preflight", path, "--sandbox", "process", "--json").out)
    assert found["stops"] == 1
    assert found["era"]["summary"]


def test_nothing_breaks_in_a_notebook_of_today(cli: Cli, write: Write) -> None:
    ended = cli("preflight", write("import pandas as pd\npd.DataFrame()"), "--sandbox", "process")
    assert ended.code == 0
    assert "No change is known that will certainly break it." in ended.out


def test_what_seldom_breaks_is_counted_and_shown_when_asked(cli: Cli, write: Write) -> None:
    path = write("import pandas as pd\ntable = pd.read_csv('a.csv')\ntable[['a', 'b']].loc[[1, 2]]")
    shown = cli("preflight", path, "--sandbox", "process").out
    whole = cli("preflight", path, "--sandbox", "process", "--all").out
    assert "not shown (--all)" in shown
    assert "[pandas-missing-labels]" not in shown
    assert "not shown (--all)" not in whole
    assert "[pandas-missing-labels]" in whole


def test_the_mended_notebook_is_written_and_the_old_one_stays(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    path = write(OLD, SUBMIT)
    before = path.read_bytes()
    new = tmp_path / "new.ipynb"
    ended = cli("preflight", path, "--sandbox", "process", "--fix", new)
    assert ended.code == 1
    assert path.read_bytes() == before
    assert ".loc[:]" in "".join(json.loads(new.read_text())["cells"][0]["source"])
    assert "pandas 1.0. " in ended.out and "\n  https://pandas.pydata.org/" in ended.out
    assert cli("preflight", new, "--sandbox", "process").code == 0
    assert cli("preflight", path, "--fix", new).code == 2, "nothing is overwritten unasked"
    assert cli("preflight", path, "--fix", path, "--force").code == 2


def test_the_persons_word_on_the_era_counts(cli: Cli, write: Write) -> None:
    path = write("from sklearn.svm import SVC\nSVC()")
    codes = [
        cli("preflight", path, "--sandbox", "process", "--era", era).code
        for era in ("2018", "2024", "sklearn 0.19")
    ]
    assert codes == [1, 0, 1]


@pytest.mark.parametrize("command", ["rules", "preflight"])
def test_usage_is_explained(cli: Cli, capfd: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as ended:
        cli(command, "--help")
    assert ended.value.code == 0
    assert "exit codes:" in capfd.readouterr().out
