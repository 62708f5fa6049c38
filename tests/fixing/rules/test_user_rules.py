"""Rules of the user's own: one YAML rule and one case, nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

from mle_modernizer_server.domain.errors import BadSetting
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.fixing.rules import knowledge
from mle_modernizer_server.fixing.rules.engine.context import Run
from mle_modernizer_server.fixing.rules.engine.engine import modernize
from mle_modernizer_server.fixing.rules.engine.registry import hand_written
from mle_modernizer_server.fixing.rules.knowledge import all_rules, explain, problems, use_rules
from mle_modernizer_server.fixing.rules.preflight import preflight
from mle_modernizer_server.fixing.rules.rule import GROUP, Rule
from mle_modernizer_server.words import text
from tests.fixing.rules.executed.case import Case
from tests.fixing.rules.executed.environment import NamedEnvironment
from tests.fixing.rules.rewriting import error, notebook
from tests.refusals import refused

RULE = """\
library: scores
rules:
- id: scores-rmse
  since: "2.0"
  kind: removed
  symptoms:
  - "module 'scores' has no attribute 'rmse'"
  what: scores.rmse was removed in scores 2.0.
  replacement: It is called root_mean_squared_error.
  link: https://example.org/scores
  meaning: rename
  fixes:
  - do: move
    names:
      scores.rmse: scores.root_mean_squared_error
"""
OLD = "import scores\nresult = scores.rmse([1, 3])"
NEW = "import scores\nresult = scores.root_mean_squared_error([1, 3])"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "rules").mkdir()
    yield tmp_path / "rules"
    use_rules(None)


def own(rule_id: str) -> Rule:
    return next(one for one in all_rules() if one.id == rule_id)


@pytest.mark.process
def test_a_rule_is_one_entry_and_one_case(folder: Path, tmp_path: Path) -> None:
    (folder / "scores.yaml").write_text(RULE)
    assert use_rules(folder) == ()
    rule = own("scores-rmse")
    (tmp_path / "scores.py").write_text("def root_mean_squared_error(x):\n    return x[0]\n")
    case = Case(
        "scores-rmse", f"import sys\nsys.path.insert(0, {str(tmp_path)!r})", OLD, "result == 1"
    )

    place = NamedEnvironment("here", Path(sys.executable))
    before = place.run(case.setup, case.code, case)
    assert before.raised is not None
    seen = error("b", before.raised.ename, before.raised.evalue, before.raised.line)
    known = Environment(python="3.11", packages={"scores": "2.1"})
    assert explain(seen, known) == (f"{rule.what} {rule.replacement}", rule.link)
    after = modernize(notebook(case.setup, OLD), [rule], Run(errors=(seen,)), lambda *_: True)
    assert after.notebook.cells[1].source == NEW
    assert place.run(case.setup, NEW, case).holds


def test_user_rules_join_the_built_in_ones_until_removed(folder: Path) -> None:
    before = all_rules()
    (folder / "own").mkdir()
    (folder / "own" / "scores.yaml").write_text(RULE)
    use_rules(folder)
    assert [one.id for one in all_rules()] == [*(one.id for one in before), "scores-rmse"]
    use_rules(None)
    assert all_rules() == before


def test_they_are_foreseen_before_a_run(folder: Path) -> None:
    (folder / "scores.yaml").write_text(RULE)
    (folder / "typo.yaml").write_text(RULE.replace("since", "sinc"))
    use_rules(folder)
    found = preflight(notebook(OLD), Environment(python="3.11", packages={"scores": "2.0"}), "s")
    assert [item.rule for item in found.items] == ["scores-rmse"]
    assert any(
        text(note.text).startswith("Rules in typo.yaml are left out") for note in found.notes
    )


def own_fix(fix: str) -> str:
    """Return the rule with another fix, in line 13."""
    return f"{RULE.partition('  - do')[0]}  - {fix}\n".replace("  fixes:", "  fixes: ", 1)


BAD = {
    "no YAML": ("library: [", 1, "no YAML"),
    "a typo": (RULE.replace("  symptoms:", "  symptom:"), 6, "symptom"),
    "a wrong word": (RULE.replace("kind: removed", "kind: gone"), 5, "kind"),
    "a wrong fix": (RULE.replace("do: move", "do: moves"), 13, "moves"),
    "something in a fix": (RULE.replace("names:", "nams:"), 13, "names"),
    "no rules": ("library: scores\n", 1, "rules"),
    "no list": ("library: scores\nrules: none\n", 2, "list"),
    "no mapping": ("library: scores\nrules:\n- none\n", 3, "mapping"),
    "a bad pattern": (RULE.replace("module 'scores' has", "(module"), 6, "regular expression"),
    "no version": (RULE.replace('"2.0"', "soon"), 4, "version"),
    "an id that is taken": (RULE.replace("scores-rmse", "pandas-append"), 3, "already"),
    "twice": (RULE + RULE.partition("rules:\n")[2], 16, "already"),
    "no address": (RULE.replace("scores.root_mean_squared_error", "a b"), 15, "no address"),
    "an address that cannot be": (RULE.replace("scores.rmse:", "scores.1x:"), 15, "no address"),
    "no literal": (own_fix("{do: call, functions: [a.f], add: {b: 1 +}}"), 13, "no literal"),
    "a name as a literal": (
        own_fix("{do: call, functions: [a.f], values: {b: {None: auto}}}"),
        13,
        "no literal",
    ),
    "no builtin": (own_fix("{do: call, functions: [a.f], wrap: {b: lists}}"), 13, "no builtin"),
    "an unknown placeholder": (
        own_fix('{do: template, functions: [a.f], parameters: [x], write: "g({zzz})"}'),
        13,
        "{zzz} is none of",
    ),
    "a name without its import": (
        own_fix('{do: template, functions: [a.f], parameters: [a], write: "pd.g({a})"}'),
        13,
        "'pd' is not defined",
    ),
    "a template that is no Python": (
        own_fix('{do: template, functions: [a.f], parameters: [a], write: "g({a}"}'),
        13,
        "no Python",
    ),
    "code": (RULE.partition("  - do")[0] + "  - do: codemod\n", 3, "installed packages"),
    "a tag": ("!!python/object/apply:os.system [touch ran]\n", 1, "no YAML"),
    "empty": ("", 1, "empty"),
    "bytes": (b"\xff\xfe\x00", 1, "UTF-8"),
    "itself": ("library: &l [*l]\nrules: []\n", 1, "aliases"),
    "deep": ("[" * 1500, 1, "no YAML"),
    "deep and closed": ("library: x\nrules: " + "[" * 160 + "]" * 160, 2, "deep"),
    "large": ("#" * 300_000, 1, "256,000 bytes"),
    "many laughs": (
        "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
        + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)),
        2,
        "aliases",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_file_is_named_with_its_line_others_are_loaded(folder: Path, name: str) -> None:
    content, line, word = BAD[name]
    (folder / "bad.yaml").write_bytes(content.encode() if isinstance(content, str) else content)
    (folder / "good.yaml").write_text(RULE.replace("scores-rmse", "scores-other"))
    [problem] = use_rules(folder)
    assert problem.startswith(f"Rules in bad.yaml are left out: line {line}: ")
    assert word in problem
    assert problems() == (problem,)
    assert own("scores-other").library == "scores"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with refused(BadSetting, match="rules_path"):
        use_rules(tmp_path / "none")


CODEMOD = '''
import libcst as cst
from mle_modernizer_server.fixing.rules.engine.context import one
from mle_modernizer_server.fixing.rules.engine.registry import codemod

@codemod("scores-mean", on=cst.Name)
def renamed(scene, node):
    """`mean_score` -> `average_score`."""
    return one(node, cst.Name("average_score")) if node.value == "mean_score" else None
'''
OF_PACKAGE = (
    RULE.replace("scores-rmse", "scores-mean").partition("  fixes")[0]
    + "  words:\n  - mean_score\n  fixes:\n  - do: codemod\n"
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package with a rule and its codemod, and one that breaks when imported."""
    name = "rules_of_somebody"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    (tmp_path / name / "mean.py").write_text(CODEMOD)
    (tmp_path / name / "scores.yaml").write_text(OF_PACKAGE)
    (tmp_path / "rules_that_break.py").write_text("raise RuntimeError('broken')")
    monkeypatch.syspath_prepend(tmp_path)
    offers = [EntryPoint(one, one, GROUP) for one in (name, "rules_that_break")]
    monkeypatch.setattr(knowledge, "entry_points", lambda group: offers)
    yield tmp_path / name
    monkeypatch.undo()
    use_rules(None)
    hand_written().pop("scores-mean", None)
    for module in [one for one in sys.modules if one.startswith(name)]:
        del sys.modules[module]


def test_an_installed_package_brings_codemods(package: Path) -> None:
    [problem] = use_rules(None)
    assert problem == "Rules of rules_that_break are left out: RuntimeError: broken"
    after = modernize(notebook("mean_score(x)"), [own("scores-mean")], Run(), lambda *_: True)
    assert after.notebook.cells[0].source == "average_score(x)"


def test_package_rule_without_its_codemod_is_left_out(package: Path) -> None:
    (package / "mean.py").unlink()
    assert any("@codemod" in problem and "line 3" in problem for problem in use_rules(None))


def test_what_is_no_package_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = ModuleType("odd")
    odd.thing = 3  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "odd", odd)
    offer = EntryPoint("odd", "odd:thing", GROUP)
    monkeypatch.setattr(knowledge, "entry_points", lambda group: [offer])
    assert use_rules(None) == (
        "Rules of odd:thing are left out: TypeError: the entry point names no package",
    )
    monkeypatch.undo()
    use_rules(None)
