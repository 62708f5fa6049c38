"""A model's fix that held becomes a rule: what was paid for once, others get for nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from mle_modernizer_server.batch.folder import StudyFolder
from mle_modernizer_server.domain.statistics import State
from tests.cli.conftest import Cli, Write
from tests.llm_server import Answer, LlmServer

TOOLBOX = "def read_marks(first, last, step=1):\n    return list(range(first, last + 1, step))\n"
"""The module as it is today; it once was called `marks`, and took `by` for `step`."""
OLD = "import toolbox\nmarks = toolbox.marks(1, 40, by=1)"
NEW = "import toolbox\nmarks = toolbox.read_marks(1, 40, step=1)"
SUBMIT = (
    "open('submission.csv', 'w').write('Id,Odd\\n' + ''.join(f'{i},{i % 2}\\n' for i in marks))"
)
MENDED = f"""\
=== PLAN ===
- it has another name
=== REPLACE CELL $CELL(^marks = )$ ===
{NEW}
=== END ===
"""


@pytest.fixture
def model() -> Iterator[LlmServer]:
    with LlmServer(lambda _: Answer(text=MENDED)) as server:
        yield server


def asks(model: LlmServer) -> tuple[str, ...]:
    return ("--llm-base-url", model.base_url, "--llm-model", "scripted")


@pytest.fixture
def known(tmp_path: Path) -> dict[str, object]:
    (tmp_path / "toolbox.py").write_text(TOOLBOX)
    return {"target_score": 1, "competition": "parity"}


@pytest.mark.thorough
def test_learned_rule_fixes_another_notebook_without_a_model(
    cli: Cli,
    write: Write,
    model: LlmServer,
    known: dict[str, object],
    tmp_path: Path,
) -> None:
    rules = tmp_path / "rules"
    first = write(OLD, SUBMIT, mle_modernizer=known)
    output = tmp_path / "new.ipynb"
    ended = cli(first, "--auto", "--learn", rules, "--output", output, *asks(model))
    assert ended.code == 0, ended.out + ended.err
    (file,) = rules.glob("*.yaml")
    content = yaml.safe_load(file.read_text())
    assert content["library"] == "toolbox"
    assert content["rules"][0]["confirm"] == "error"
    assert f"toolbox.marks(1, 40, by=1) → toolbox.read_marks(1, 40, step=1) ({file})" in ended.out

    second = write(
        "import toolbox as tb\nlast = 40",
        "marks = tb.marks(1, last, by=1)",
        SUBMIT,
        name="second.ipynb",
        mle_modernizer=known,
    )
    output = tmp_path / "second-new.ipynb"
    ended = cli(second, "--auto", "--rules-path", rules, "--output", output)
    assert ended.code == 0, ended.out + ended.err
    assert (
        "marks = tb.read_marks(1, last, step=1)"
        in json.loads(output.read_text())["cells"][1]["source"]
    )
    assert len(model.requests) == 1


def test_a_fix_that_teaches_nothing_writes_nothing(
    cli: Cli, write: Write, known: dict[str, object], model: LlmServer, tmp_path: Path
) -> None:
    rules = tmp_path / "rules"
    ended = cli(
        write("marks = range(1, 41)", SUBMIT, mle_modernizer=known), "--auto", "--learn", rules
    )
    assert ended.code == 0
    assert "No rule was learned from a model's fixes." in ended.out
    assert not rules.exists()
    assert not model.requests


@pytest.mark.thorough
def test_a_batch_pays_for_a_change_once(
    cli: Cli, write: Write, model: LlmServer, known: dict[str, object], tmp_path: Path
) -> None:
    for number in range(2):
        write(f"number = {number}", OLD, SUBMIT, name=f"n{number}.ipynb", mle_modernizer=known)
    out = tmp_path / "out"
    ended = cli("batch", str(tmp_path / "n*.ipynb"), "--out", out, "--workers", 1, *asks(model))
    assert ended.code == 0, ended.out + ended.err
    folder = StudyFolder(out)
    assert [one.last_state for one in folder.results()] == [State.ERROR_FREE_REPRODUCIBLE] * 2
    assert len(folder.learned()) == 1
    assert len(model.requests) == 1
    assert f"1 rule was learned from the model's fixes: {out / 'rules'}" in ended.out
    applied = cli("batch", "--apply", out)
    assert "toolbox.marks" in (tmp_path / "n1.ipynb").read_text(), applied.out
    told = cli("batch", "--status", out)
    assert "2 of 2 done" in told.out and "1 rule was learned" in told.out


@pytest.mark.thorough
def test_a_batch_learns_nothing_where_it_is_told_so(
    cli: Cli, write: Write, model: LlmServer, known: dict[str, object], tmp_path: Path
) -> None:
    for number in range(2):
        write(f"number = {number}", OLD, SUBMIT, name=f"n{number}.ipynb", mle_modernizer=known)
    out = tmp_path / "out"
    what = str(tmp_path / "n*.ipynb")
    ended = cli("batch", what, "--out", out, "--workers", 1, "--no-learning", *asks(model))
    assert ended.code == 0, ended.out + ended.err
    assert len(model.requests) == 2
    assert StudyFolder(out).learned() == []


OF_NUMPY_1 = "import numpy as np\nmarks = range(1, int(np.product([5, 8])) + 1)"
PRODUCT = """\
=== PLAN ===
- it has another name
=== REPLACE CELL $CELL(^marks = )$ ===
import numpy as np
marks = range(1, int(np.prod([5, 8])) + 1)
=== END ===
"""


@pytest.fixture
def own_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Environments are made, and kept with the test."""
    monkeypatch.setenv("MLE_MODERNIZER_MAKE_ENVIRONMENTS", "yes")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))


@pytest.mark.usefixtures("own_environments")
@pytest.mark.thorough
def test_learned_rule_is_tried_with_the_original_libraries(
    cli: Cli,
    write: Write,
    known: dict[str, object],
    tmp_path: Path,
) -> None:
    rules = tmp_path / "rules"
    path = write(OF_NUMPY_1, SUBMIT, mle_modernizer=known)
    only_model = ("--fixer", "llm", "--era", "2023", "--learn", rules, "--try-own-time")
    with LlmServer(lambda _: Answer(text=PRODUCT)) as server:
        ended = cli(path, "--auto", *only_model, *asks(server))
    assert ended.code == 0, ended.out + ended.err
    (file,) = rules.glob("*.yaml")
    assert "# As it was, it ran with " in file.read_text(), ended.out
    assert "np.product([5, 8]) → np.prod([5, 8])" in ended.out
    assert "As it was, it ran with " in ended.out and "numpy 1." in ended.out


@pytest.mark.usefixtures("own_environments")
@pytest.mark.thorough
def test_rule_of_a_batch_is_tried_with_the_original_libraries(
    cli: Cli,
    write: Write,
    known: dict[str, object],
    tmp_path: Path,
) -> None:
    path, out = write(OF_NUMPY_1, SUBMIT, mle_modernizer=known), tmp_path / "out"
    with LlmServer(lambda _: Answer(text=PRODUCT)) as server:
        how = ("--fixer", "llm", "--era", "2023", "--try-own-time", "--workers", 1)
        ended = cli("batch", path, "--out", out, *how, *asks(server))
    assert ended.code == 0, ended.out + ended.err
    (rule,) = StudyFolder(out).learned()
    assert "# As it was, it ran with " in (out / f"rules/{rule}.yaml").read_text()
