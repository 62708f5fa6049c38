"""Rules made of fixes that held, and fixes that teach nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.notebook import Cell, CellType, Notebook
from mle_modernizer_server.domain.proposal import LearnedRule, Lesson, Trial
from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import modernize
from mle_modernizer_server.fixing.rules.learning.learn import learn
from mle_modernizer_server.fixing.rules.rule import Rule
from mle_modernizer_server.fixing.rules.user_rules import of_folder


def notebook(*sources: str) -> Notebook:
    return Notebook(
        cells=tuple(
            Cell(id=f"c{number}", type=CellType.CODE, source=source)
            for number, source in enumerate(sources)
        )
    )


def failed(cell_id: str, message: str) -> CellError:
    ename, _, evalue = message.partition(": ")
    return CellError(
        cell_id=cell_id,
        index=int(cell_id[1:]),
        ename=ename,
        evalue=evalue,
        traceback=(),
        raised=True,
    )


def lesson(
    before: tuple[str, ...], after: tuple[str, ...], message: str, sound: tuple[str, ...] = ()
) -> Lesson:
    cells = tuple(
        f"c{number}"
        for number, pair in enumerate(zip(before, after, strict=True))
        if len(set(pair)) > 1
    )
    return Lesson(
        before=notebook(*before),
        after=notebook(*after),
        cells=cells,
        errors=(failed(cells[-1], message),),
        sound=sound,
        environment=Environment(python="3.11.7", packages={"toolbox": "2.1"}),
        model="a-model",
    )


def usable(learned: LearnedRule, folder: Path) -> Rule:
    """The rule as a folder with rules of one's own gives it."""
    (folder / f"{learned.id}.yaml").write_text(learned.content)
    found = of_folder(folder, ())
    assert found.problems == []
    return next(rule for rule in found.rules if rule.id == learned.id)


def mended(rule: Rule, error: CellError, *sources: str) -> list[str]:
    outcome = modernize(notebook(*sources), [rule], Run(errors=(error,)), lambda *_: True)
    return [cell.source for cell in outcome.notebook.cells]


IMPORT = "import toolbox"
CASES = {
    "another name": (
        "df = toolbox.load('a.csv')",
        "df = toolbox.read_table('a.csv')",
        "AttributeError: module 'toolbox' has no attribute 'load'",
        "both = [toolbox.load(p) for p in ('x', 'y')]",
        "both = [toolbox.read_table(p) for p in ('x', 'y')]",
    ),
    "another keyword": (
        "df = toolbox.load('a.csv', seperator=';')",
        "df = toolbox.load('a.csv', separator=';')",
        "TypeError: load() got an unexpected keyword argument 'seperator'",
        "toolbox.load(path, seperator=sep, rows=3)",
        "toolbox.load(path, separator=sep, rows=3)",
    ),
    "a keyword less": (
        "df = toolbox.load('a.csv', fast=True)",
        "df = toolbox.load('a.csv')",
        "TypeError: load() got an unexpected keyword argument 'fast'",
        "toolbox.load(path, fast=False)",
        "toolbox.load(path)",
    ),
    "another value": (
        "m = toolbox.fit(df, penalty='none')",
        "m = toolbox.fit(df, penalty=None)",
        "ValueError: fit: penalty must not be 'none'",
        "toolbox.fit(df, penalty='none'); toolbox.fit(df, penalty='l2')",
        "toolbox.fit(df, penalty=None); toolbox.fit(df, penalty='l2')",
    ),
    "a method of the result": (
        "m = toolbox.mean(df)",
        "m = toolbox.Stats(df).mean()",
        "AttributeError: module 'toolbox' has no attribute 'mean'",
        "print(toolbox.mean(df[df.a > 0]))",
        "print(toolbox.Stats(df[df.a > 0]).mean())",
    ),
    "another name and another keyword": (
        "toolbox.marks(1, 40, by=1)",
        "toolbox.read_marks(1, 40, step=1)",
        "AttributeError: module 'toolbox' has no attribute 'marks'",
        "toolbox.marks(1, last, by=2)",
        "toolbox.read_marks(1, last, step=2)",
    ),
    "arguments in another order": (
        "toolbox.join(a, b, how='left')",
        "toolbox.combine([a, b], kind='left')",
        "AttributeError: module 'toolbox' has no attribute 'join'",
        "toolbox.join(first.x, second, how=way)",
        "toolbox.combine([first.x, second], kind=way)",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_call_written_anew_is_a_rule_for_other_notebooks(case: str, tmp_path: Path) -> None:
    old, new, message, elsewhere, expected = CASES[case]
    (found,) = learn(lesson((IMPORT, old), (IMPORT, new), message, sound=("c0",)))
    assert found.library == "toolbox"
    rule = usable(found, tmp_path)
    error = failed("c0", message)
    assert mended(rule, error, f"import toolbox as tb\n{elsewhere}".replace("toolbox.", "tb.")) == [
        f"import toolbox as tb\n{expected}".replace("toolbox.", "tb.")
    ]
    assert mended(rule, error, f"{IMPORT}\n{expected}") == [f"{IMPORT}\n{expected}"]
    assert rule.matches(error)
    assert rule.concerns("2.1") and not rule.concerns("2.0")


def test_an_import_is_learned_with_the_cell_that_has_it(tmp_path: Path) -> None:
    (found,) = learn(
        lesson(
            ("from toolbox import load", "load('x')"),
            ("from toolbox.files import read", "read('x')"),
            "ImportError: cannot import name 'load' from 'toolbox' (/home/me/toolbox/__init__.py)",
        )
    )
    rule = usable(found, tmp_path)
    assert "/home/me" not in found.content
    assert mended(
        rule, failed("c0", "ImportError: x"), "from toolbox import load, save\nload(1)"
    ) == ["from toolbox import save\nfrom toolbox.files import read as load\nload(1)"]


def test_method_of_a_constant_name_is_no_obstacle() -> None:
    loop = "table = None\nfor name in table.keys():\n    toolbox.{}(name)"
    before, after = (f"{IMPORT}\n{loop.format(name)}" for name in ("load", "read_table"))
    message = "AttributeError: module 'toolbox' has no attribute 'load'"
    assert len(learn(lesson((before,), (after,), message))) == 1


def test_several_places_have_to_agree() -> None:
    before = ("import toolbox", "toolbox.load(a, n=1)\ntoolbox.load(b, n=2)")
    agreed = ("import toolbox", "toolbox.load(a, rows=1)\ntoolbox.load(b, rows=2)")
    message = "TypeError: load() got an unexpected keyword argument 'n'"
    (found,) = learn(lesson(before, agreed, message))
    assert found.places == 2
    torn = ("import toolbox", "toolbox.load(a, rows=1)\ntoolbox.load(b, lines=2)")
    assert learn(lesson(before, torn, message)) == ()


def test_two_changes_in_one_cell_are_two_rules() -> None:
    found = learn(
        Lesson(
            before=notebook("import toolbox\na = toolbox.load('x')\nb = toolbox.mean(a)"),
            after=notebook("import toolbox\na = toolbox.read('x')\nb = a.mean()"),
            cells=("c0",),
            errors=(
                failed("c0", "AttributeError: module 'toolbox' has no attribute 'load'"),
                failed("c0", "AttributeError: module 'toolbox' has no attribute 'mean'"),
            ),
            sound=(),
            environment=Environment(python="3.11.7", packages={}),
        )
    )
    assert [one.new for one in found] == ["toolbox.read('x')", "a.mean()"]
    assert all("since: '0.0'" in one.content for one in found)


NOTHING = {
    "more than the call": (
        "x = toolbox.load('a')",
        "x = toolbox.read('a')\nx = x.dropna()",
        "AttributeError: module 'toolbox' has no attribute 'load'",
    ),
    "another experiment": (
        "m = toolbox.fit(df, depth=3)\nprint(1)",
        "m = toolbox.fit(df, depth=n)\nprint(1)",
        "TypeError: fit() got an unexpected keyword argument 'depth'",
    ),
    "an error of something else": (
        "x = toolbox.load('a')",
        "x = toolbox.read('a')",
        "KeyError: 'price'",
    ),
    "names of this notebook": (
        "x = toolbox.load('a')",
        "x = toolbox.read('a', frame)",
        "AttributeError: module 'toolbox' has no attribute 'load'",
    ),
    "an argument that is lost": (
        "x = toolbox.load('a', rows)",
        "x = toolbox.read('a')",
        "AttributeError: module 'toolbox' has no attribute 'load'",
    ),
    "no call at all": ("x = 1 / 0", "x = 0", "ZeroDivisionError: division by zero"),
    "a number that may be two": (
        "x = toolbox.load(1)",
        "x = toolbox.read(1, axis=1)",
        "AttributeError: module 'toolbox' has no attribute 'load'",
    ),
    "a cell that is no Python": (
        "x = toolbox.load(1",
        "x = toolbox.read(1)",
        "SyntaxError: '(' was never closed: load",
    ),
}


@pytest.mark.parametrize("case", NOTHING)
def test_what_is_no_general_change_teaches_nothing(case: str) -> None:
    old, new, message = NOTHING[case]
    assert learn(lesson((IMPORT, old), (IMPORT, new), message)) == ()


def test_a_rule_that_would_touch_what_ran_before_is_not_kept() -> None:
    before = (
        "import toolbox",
        "try:\n    toolbox.load(1)\nexcept AttributeError: pass",
        "toolbox.load(2)",
    )
    after = (*before[:2], "toolbox.read(2)")
    message = "AttributeError: module 'toolbox' has no attribute 'load'"
    assert learn(lesson(before, after, message, sound=("c0", "c1"))) == ()
    assert learn(lesson(before, after, message, sound=("c0",))) != ()


def test_what_a_model_is_called_writes_nothing_into_the_file() -> None:
    old, new, message, *_ = CASES["another name"]
    asked = lesson((IMPORT, old), (IMPORT, new), message)
    asked = asked.model_copy(update={"model": "x\nlibrary: os\n"})
    (found,) = learn(asked)
    assert yaml.safe_load(found.content)["library"] == "toolbox"


def test_what_was_tried_in_old_libraries_must_have_run_there() -> None:
    before, after, message, *_ = CASES["another name"]
    found = lesson((IMPORT, before), (IMPORT, after), message)

    def learned(ran: tuple[str, ...], failed: tuple[str, ...]) -> list[LearnedRule]:
        trial = Trial(libraries="toolbox 0.9 (2018-03)", ran=ran, failed=failed)
        return list(learn(found.model_copy(update={"trial": trial})))

    (rule,) = learned(("c0", "c1"), ())
    assert rule.tried == "toolbox 0.9 (2018-03)"
    assert "# As it was, it ran with toolbox 0.9 (2018-03).\n" in rule.content
    (unknown,) = learned(("c0",), ())
    assert unknown.tried == "" and "As it was" not in unknown.content
    assert learned(("c0",), ("c1",)) == [], "a mistake of the notebook's is no change of a library"
