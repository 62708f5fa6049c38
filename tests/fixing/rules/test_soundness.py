"""No rule edits an object that is not the library's, whatever way a program takes to it.

Programs are generated with branches, loops, functions, exceptions and a class of the user's own
that has methods of the same names. Each is executed with a stand-in for pandas that notes which
class the object of each use really had; where it was the user's, the use must stay as it is.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import Outcome, modernize
from mle_modernizer_server.fixing.rules.knowledge import all_rules
from tests.fixing.rules.rewriting import notebook
from tests.thoroughness import tries

RULES = [one for one in all_rules() if one.automatic]
HEAD = """import pandas as pd
class Bag(list):
    def append(self, item, ignore_index=False): return seen('own', item, self)
    def as_matrix(self, item=None): return seen('own', item, self)
    def applymap(self, item): return seen('own', item, self)
    def clip_upper(self, item): return seen('own', item, self)
    def sort(self, item): return seen('own', item, self)
    def merge(self, item): return seen('own', item, self)
    def fillna(self, item, inplace=False): return seen('own', item, self)
    def __getitem__(self, item): return seen('own', item, self) if item != 'c' else self
    def __iadd__(self, other): return self
    def __exit__(self, *error): return False
    def __enter__(self): return self
    @property
    def ix(self): return self
"""
USES = (
    "{name}.append({mark})",
    "{name}.append({mark}, ignore_index=True)",
    "{name}.as_matrix({mark})",
    "{name}.applymap({mark})",
    "{name}.clip_upper({mark})",
    "{name}.sort({mark})",
    "{name}.ix[{mark}]",
    "{name}['c'].fillna({mark}, inplace=True)",
)
NAMES = ("df", "train", "rows", "data")


class Table:
    """Stands in for DataFrame and Series; what it is asked comes out as another one."""

    def __init__(self, *_: Any) -> None:
        self.columns = ["a"]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Asked(self)

    def __getitem__(self, item: object) -> Any:
        return self

    def __setitem__(self, item: object, value: object) -> None:
        pass

    def __iadd__(self, other: object) -> Table:
        return self

    def __iter__(self) -> Iterator[str]:
        return iter(("a", "b"))

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *error: object) -> None:
        pass


class Asked:
    """A method or locator of a table."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __call__(self, *_: object, **__: object) -> Table:
        return self.table

    def __getitem__(self, item: object) -> Table:
        return self.table


class Writer:
    """Writes one program."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.mark = 1000
        self.uses: dict[int, str] = {}
        self.functions = 0

    def program(self) -> str:
        lines = [HEAD, *(f"{name} = {self.value(NAMES[:1])}" for name in NAMES[:2])]
        lines += ["rows = Bag()", "data = pd.DataFrame()"]
        for _ in range(self.draw.randint(3, 7)):
            lines += self.statement(0, NAMES)
        return "\n".join(lines) + "\n"

    def value(self, names: tuple[str, ...]) -> str:
        return self.draw.choice(
            (
                "pd.DataFrame()",
                "pd.DataFrame()",
                "Bag()",
                "pd.read_csv('x')",
                "pd.DataFrame().head()",
            )
        )

    def use(self, name: str) -> str:
        self.mark += 1
        text = self.draw.choice(USES).format(name=name, mark=self.mark)
        self.uses[self.mark] = text
        return text

    def block(self, depth: int, names: tuple[str, ...]) -> list[str]:
        lines: list[str] = []
        for _ in range(self.draw.randint(1, 3)):
            lines += self.statement(depth + 1, names)
        return [f"    {line}" for line in lines]

    def statement(self, depth: int, names: tuple[str, ...]) -> list[str]:
        name = self.draw.choice(names)
        simple = (
            lambda: [f"{name} = {self.value(names)}"],
            lambda: [f"{name} = {self.draw.choice(names)}"],
            lambda: [f"{name} = {self.value(names)} if chance() else {self.value(names)}"],
            lambda: [f"{name} += {self.draw.choice(names)}"],
            lambda: [
                f"{name}, other = {self.value(names)}, {self.value(names)}",
                self.use("other"),
            ],
            lambda: [f"del {name}", f"{name} = {self.value(names)}"],
            lambda: [self.use(name)],
            lambda: [self.use(name)],
            lambda: [f"{name} = {self.use(name)}"],
            lambda: [f"[{self.use('each')} for each in [{name}, {self.draw.choice(names)}]]"],
            lambda: [
                f"things = [{name}]",
                f"things.append({self.value(names)})",
                f"for each in things: {self.use('each')}",
            ],
        )
        if depth > 2 or self.draw.random() < 0.5:
            return self.draw.choice(simple)()
        return self.compound(depth, names, name)

    def compound(self, depth: int, names: tuple[str, ...], name: str) -> list[str]:
        what = self.draw.randint(0, 6)
        if what == 0:
            lines = ["if chance():", *self.block(depth, names)]
            return (
                [*lines, "else:", *self.block(depth, names)] if self.draw.random() < 0.5 else lines
            )
        if what == 1:
            leave = [f"    if chance(): {self.draw.choice(('break', 'continue'))}"]
            body = [*self.block(depth, names), *leave, *self.block(depth, names)]
            return ["for turn in range(3):", *body]
        if what == 2:
            return ["while chance():", *self.block(depth, names)]
        if what == 3:
            body = [*self.block(depth, names), "    fails()", *self.block(depth, names)]
            lines = ["try:", *body, "except ValueError:", *self.block(depth, names)]
            return [*lines, "finally:", *self.block(depth, names)]
        if what == 4:
            return [f"with {self.value(names)} as {name}:", *self.block(depth, names)]
        self.functions += 1
        called = f"f{self.functions}"
        if what == 5:
            lines = [f"def {called}():", f"    global {', '.join(names)}"]
            return [*lines, *self.block(depth, names), f"{called}()", self.use(name)]
        likely = self.draw.choice(("    if chance(): part.merge(0)", "    pass"))
        body = [f"    {self.use('part')}", "    return part"]
        calls = [f"{called}({self.value(names)})" for _ in range(self.draw.randint(1, 2))]
        return [f"def {called}(part):", likely, *body, *calls, f"{name} = {called}({name})"]


def owners(source: str, draw: random.Random) -> set[int]:
    """Marks of the uses whose object was the user's own in one execution."""
    found: set[int] = set()
    pandas = SimpleNamespace(DataFrame=Table, read_csv=Table)

    def seen(whose: str, mark: int, result: Any) -> Any:
        if isinstance(mark, int) and mark:
            found.add(mark)
        return result

    def fails() -> None:
        if draw.random() < 0.5:
            raise ValueError

    space: dict[str, Any] = {"seen": seen, "fails": fails, "chance": lambda: draw.random() < 0.5}
    before = sys.modules.get("pandas")
    sys.modules["pandas"] = pandas  # type: ignore[assignment]  # the stand-in
    try:
        exec(compile(source, "<generated>", "exec"), space)
    except (NameError, AttributeError, TypeError, KeyError, ValueError, IndexError):
        pass  # it got that far
    finally:
        del sys.modules["pandas"]
        if before is not None:
            sys.modules["pandas"] = before
    return found


def modernized(source: str) -> Outcome:
    return modernize(notebook(source), RULES, Run(), lambda *_: True)


@settings(max_examples=tries(6, 100), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.integers(0, 2**16))
def test_no_rule_edits_an_object_of_a_class_of_the_users_own(
    draw: random.Random, seed: int
) -> None:
    writer = Writer(draw)
    source = writer.program()
    after = modernized(source).notebook.cells[0].source
    chances = random.Random(seed)
    own = set[int]().union(*(owners(source, chances) for _ in range(12)))
    for mark in own:
        assert writer.uses[mark] in after, f"{writer.uses[mark]} was changed in\n{source}"


def test_the_generated_programs_have_uses_that_the_rules_do_edit() -> None:
    edited = 0
    for seed in range(5):
        writer = Writer(random.Random(seed))
        after = modernized(writer.program()).notebook.cells[0].source
        edited += sum(use not in after for use in writer.uses.values())
    assert edited > 3


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (
            "if small:\n    rows = Bag()\nelse:\n    rows = pd.DataFrame()\nrows = rows.append(1)",
            "what `rows` is",
        ),
        (
            "def add(tree, node):\n    tree.merge(node)\n    tree = tree.append(node)",
            "what `tree` is",
        ),
        (
            "rows = pd.DataFrame()\nfor i in range(3):\n    out = rows.append(i)\n    rows = Bag()",
            "what `rows` is",
        ),
        (
            "df = pd.DataFrame()\ndef f():\n    global df\n    df = Bag()\nf()\ndf = df.append(1)",
            "what `df` is",
        ),
        (
            "df = pd.DataFrame()\nrows = Bag()\nrows += df\nrows += df\nrows.as_matrix(1)",
            "what `rows` is",
        ),
        (
            "import numpy as np\ncounts = np.unique(x, return_counts=maybe)\ncounts.tostring()",
            "what `counts` is",
        ),
        ("import polars as pl\ntrain.select('a', 'b').corr()", "what `train.select('a', 'b')` is"),
    ],
)
def test_ambiguous_code_is_left_with_the_reason(source: str, why: str) -> None:
    source = HEAD + source
    outcome = modernized(source)
    assert outcome.notebook.cells[0].source == source
    assert any(why in doubt.why for doubt in outcome.doubts), outcome.doubts


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\ncounts = np.unique(x, return_counts=True)\ncounts.tostring()",
        "import pandas as pd\ndf = pd.DataFrame()\nfor c in df:\n    text = c.tostring()",
    ],
)
def test_code_known_to_differ_is_left_without_a_word(source: str) -> None:
    outcome = modernized(source)
    assert outcome.notebook.cells[0].source == source
    assert outcome.doubts == []
