"""What was there before, and what failing cells lead to, ends with no success."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import BROKEN, LOAD, SUBMIT, Cli, Write
from tests.thoroughness import some

SAMPLE = """\
import shutil
shutil.copy('../input/parity/sample_submission.csv', 'submission.csv')"""


@pytest.mark.thorough
def test_the_sample_handed_in_is_no_success(cli: Cli, write: Write) -> None:
    path = write(LOAD, SAMPLE)
    for arguments in some(((path, "--auto"), ("run", path)), one_in=2):
        ended = cli(*arguments, "--competition", "parity", "--target-score", "0.5")
        assert ended.code == 1
        assert "sample_submission.csv, which existed before the run" in ended.out


def test_an_old_submission_beside_the_notebook_is_no_success(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    old = "Id,Odd\n" + "".join(f"{number},{number % 2}\n" for number in range(1, 41))
    (tmp_path / "mine.csv").write_text(old)
    path = write(LOAD, "rows = open('mine.csv').read()\nopen('submission.csv', 'w').write(rows)")
    ended = cli(path, "--auto", "--target-score", "1")
    assert ended.code == 1
    assert "those of mine.csv, which existed before the run" in ended.out


@pytest.mark.thorough
def test_a_result_past_failing_cells_is_not_judged_yet(cli: Cli, write: Write) -> None:
    failing = "test['Id'] = test.unheard_of()"
    ended = cli("run", write(LOAD, failing, SUBMIT), "--target-score", "1")
    assert ended.code == 1
    assert "Not judged yet: it depends on 1 cell that failed." in ended.out


@pytest.mark.thorough
def test_what_rules_mend_on_the_way_is_judged(cli: Cli, write: Write) -> None:
    failing = BROKEN.replace("\nranked = list(test)", "")
    ended = cli(write(LOAD, failing, SUBMIT), "--auto", "--target-score", "1")
    assert ended.code == 0
    assert "error-free-reproducible" in ended.out
