"""Classify the meaning of an edit for the experiment from the syntax trees of both versions."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from mle_modernizer_server.code.calls import DISPLAY_METHODS, facts
from mle_modernizer_server.code.canonical.library_forms import canonical_pair
from mle_modernizer_server.code.cell_syntax import magic_of, parse_cell
from mle_modernizer_server.code.code_names import (
    called_name,
    dotted,
    full_name,
    import_aliases,
    literal,
    root_name,
    tail,
)
from mle_modernizer_server.code.ipython import parse_python
from mle_modernizer_server.domain.notebook import CellType
from mle_modernizer_server.domain.proposal import GRAVITY, CellEdit, EditKind, Meaning
from mle_modernizer_server.fixing.integrity import constants
from mle_modernizer_server.fixing.integrity.code_facts import Fact, FactKind, facts_of
from mle_modernizer_server.fixing.integrity.contexts import (
    called_in,
    environment_reads,
    features_dropped,
    is_rescaled,
    makes_rows_or_features,
    score_contexts,
    writes_what_was_learnt,
)
from mle_modernizer_server.fixing.integrity.equivalences import STAND_INS, is_rename, parameter_name
from mle_modernizer_server.fixing.integrity.parameters import MATTERS
from mle_modernizer_server.fixing.integrity.settings_changed import settings_changed
from mle_modernizer_server.fixing.integrity.shortcuts import same_place

_EXPERIMENT_FACTS = (
    FactKind.TRAINING,
    FactKind.FEATURE,
    FactKind.MODEL,
    FactKind.THINNING,
    FactKind.TRANSFORMER,
)
_SPEED_ARGUMENTS = frozenset({"n_jobs", "device", "low_memory", "engine", "nthread", "num_threads"})
_OF_THE_MACHINE = ("_NUM_THREADS", "_LOG_LEVEL", "VISIBLE_DEVICES", "_FORCE_GPU_ALLOW_GROWTH")
_DISPLAY_ROOTS = frozenset(
    {"go", "plt", "sns", "matplotlib", "seaborn", "plotly", "px", "ax", "fig", "rcParams", "mpl"}
)
_DISPLAY_CALLS = DISPLAY_METHODS | facts("flow", "statements")


def classify(edit: CellEdit) -> Meaning:
    """Return the meaning of an edit.

    It errs on the safe side: differences that are not known to be harmless are `other`, and those
    in data, features, models, parameters, seeds or splits are `experiment`.
    """
    if edit.cell_type is not CellType.CODE:
        return Meaning.DISPLAY
    try:
        old, new = parse_cell(edit.base_source), parse_cell(edit.new_source)
    except SyntaxError:
        return Meaning.OTHER  # e.g. Python 2: nothing to compare with
    same_code = ast.dump(old) == ast.dump(new)  # only comments and layout differ
    old, new = canonical_pair(old, new)
    if ast.dump(old) == ast.dump(new):  # e.g. chained assignment and its `loc` form
        return Meaning.DISPLAY if same_code else Meaning.BEHAVIOUR_RESTORED
    differences = _compare_bodies(old.body, new.body)
    if (
        _changes_experiment(old, new)
        or _changes_scores(old, new)
        or (edit.kind is not EditKind.MODIFY and _trains(old) + _trains(new))
    ):
        differences.add(Meaning.EXPERIMENT)
    if Meaning.OTHER in differences and _stands_in(old, new):
        differences = (differences - {Meaning.OTHER}) | {Meaning.BEHAVIOUR_RESTORED}
    # without a difference: comments and layout only
    return max(differences, key=GRAVITY.index, default=Meaning.DISPLAY)


def _changes_scores(old: ast.Module, new: ast.Module) -> bool:
    """Return whether other computations are done with the scores, or values added from outside."""
    if environment_reads(new) > environment_reads(old):
        return True
    if writes_what_was_learnt(new) > writes_what_was_learnt(old):
        return True
    before, after = score_contexts(old), score_contexts(new)
    return before.total() == after.total() and before != after


def _changes_experiment(old: ast.Module, new: ast.Module) -> bool:
    aliases = import_aliases([old, new])
    before, after = facts_of(old, aliases), facts_of(new, aliases)
    for kind in _EXPERIMENT_FACTS:
        if _differ(_of(before - after, kind), _of(after - before, kind)):
            return True
    for kind in (FactKind.TRAINED_ON, FactKind.MEASURED):
        removed, added = _of(before - after, kind), _of(after - before, kind)
        for old_fact, new_fact in zip(removed, added, strict=False):
            if not same_place(old_fact.key, new_fact.key):
                return True
    if _of(before, FactKind.MEASURED).total() > _of(after, FactKind.MEASURED).total():
        return True
    if _of(after - before, FactKind.CONDITION):
        return True
    asserted = _of(before, FactKind.ASSERTION) - _of(after, FactKind.ASSERTION)
    if any("version" not in fact.key for fact in asserted) and (
        _of(before, FactKind.ASSERTION).total() > _of(after, FactKind.ASSERTION).total()
    ):
        return True
    if _loosened(asserted, _of(after, FactKind.ASSERTION) - _of(before, FactKind.ASSERTION)):
        return True
    if features_dropped(old) - features_dropped(new) - _texts(new):
        return True
    return bool(settings_changed(before, after))


def _loosened(removed: Counter[Fact], added: Counter[Fact]) -> bool:
    """Return whether an assertion checks something else than the one that it replaces."""
    bold = {Meaning.OTHER, Meaning.EXPERIMENT}
    for old, new in zip(removed.elements(), added.elements(), strict=False):
        differences: set[Meaning] = set()
        try:
            _compare(parse_python(old.key), parse_python(new.key), differences)
        except SyntaxError:
            continue  # a long one, of which the key is the beginning
        if differences & bold and "version" not in old.key:
            return True
    return False


def _texts(tree: ast.Module) -> set[str]:
    """Return the texts in some code, without those that only rename a column."""
    renamed = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and called_name(node) == "rename"
        for inner in ast.walk(node)
    }
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in renamed
    }


def _differ(removed: Counter[Fact], added: Counter[Fact]) -> bool:
    """Return whether facts were added or removed that are not each other under another name."""
    remaining = list(added.elements())
    for fact in removed.elements():
        twin = next((new for new in remaining if is_rename(fact.key, new.key)), None)
        if twin is None:
            return True
        remaining.remove(twin)
    return bool(remaining)


def _of(facts: Counter[Fact], kind: FactKind) -> Counter[Fact]:
    return Counter({fact: number for fact, number in facts.items() if fact.kind is kind})


def _trains(tree: ast.Module) -> int:
    facts = facts_of(tree, {})
    return sum(number for fact, number in facts.items() if fact.kind in _EXPERIMENT_FACTS[:3])


def _stands_in(old: ast.Module, new: ast.Module) -> bool:
    before, after = _names(old), _names(new)
    return any(
        before[name] > after[name] and any(after[other] > before[other] for other in others)
        for name, others in STAND_INS.items()
    )


def _names(tree: ast.AST) -> Counter[str]:
    return Counter(
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(tree)
        if isinstance(node, (ast.Attribute, ast.Name))
    )


def _compare_bodies(old: list[ast.stmt], new: list[ast.stmt]) -> set[Meaning]:
    """Return the differences of two lists of statements, after a match of the equal ones."""
    before, after = [ast.dump(node) for node in old], [ast.dump(node) for node in new]
    differences: set[Meaning] = set()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            continue
        removed, added = old[old_from:old_to], new[new_from:new_to]
        removed, added = _without_shared_kinds(removed, added, differences)
        had = called_in(removed)
        if len(added) > len(removed) and any(makes_rows_or_features(node, had) for node in added):
            differences.add(Meaning.EXPERIMENT)
        if len(removed) == len(added):
            for one, other in zip(removed, added, strict=True):
                differences |= _compare_statements(one, other)
        else:
            differences |= {_alone(node) for node in (*removed, *added)}
    return differences


def _without_shared_kinds(
    removed: list[ast.stmt], added: list[ast.stmt], differences: set[Meaning]
) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Return the statements without imports, so that a new import does not unpair the others."""
    imports = (ast.Import, ast.ImportFrom)
    if len(removed) != len(added) and any(isinstance(node, imports) for node in (*removed, *added)):
        differences.add(Meaning.RENAME)
        removed = [node for node in removed if not isinstance(node, imports)]
        added = [node for node in added if not isinstance(node, imports)]
    return removed, added


def _compare_statements(old: ast.stmt, new: ast.stmt) -> set[Meaning]:
    if _displays(old) and _displays(new):
        return {Meaning.EXPERIMENT if _shows_another(old, new) else Meaning.DISPLAY}
    imports = (ast.Import, ast.ImportFrom)
    if isinstance(old, imports) and isinstance(new, imports):
        return {Meaning.RENAME}
    if _sets_machine(old) and _sets_machine(new):
        return {Meaning.SPEED}
    differences: set[Meaning] = set()
    _compare(old, new, differences)
    return differences


def _sets_machine(node: ast.stmt) -> bool:
    """Return whether a statement limits a library's use of the machine, or sets its log level."""
    match node:
        case ast.Assign([ast.Subscript(owner, ast.Constant(str() as name))]):
            return tail(dotted(owner, {})) == "environ" and name.endswith(_OF_THE_MACHINE)
    return False


def _shows_another(old: ast.stmt, new: ast.stmt) -> bool:
    """Return whether a printed value is another one: the training's score for the validation's."""
    if not (_prints(old) and _prints(new)):
        return False
    before, after = _keys(old), _keys(new)
    removed, added = list((before - after).elements()), list((after - before).elements())
    return len(removed) == len(added) and any(
        constants.compare(one, other, frozenset()) is Meaning.EXPERIMENT
        for one, other in zip(removed, added, strict=True)
    )


def _prints(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and called_name(node.value) == "print"


def _keys(node: ast.stmt) -> Counter[str]:
    """Return the texts that something is indexed with."""
    return Counter(
        inner.slice.value
        for inner in ast.walk(node)
        if isinstance(inner, ast.Subscript)
        and isinstance(inner.slice, ast.Constant)
        and isinstance(inner.slice.value, str)
    )


def _alone(node: ast.stmt) -> Meaning:
    """Return the meaning of a statement that was added or removed."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return Meaning.RENAME
    return Meaning.DISPLAY if _displays(node) else Meaning.OTHER


def _displays(node: ast.stmt) -> bool:
    """Return whether a statement only displays something."""
    match node:
        case ast.Expr(ast.Call(function) as call):
            if (magic := magic_of(call)) is not None:
                method, texts = magic
                return method == "run_line_magic" and texts[:1] in (("matplotlib",), ("config",))
            return _is_of_plots(function) or called_name(call) in _DISPLAY_CALLS
        case ast.Expr(ast.Constant() | ast.Name() | ast.Attribute() | ast.Subscript()):
            return True
        case ast.Assign(targets, value):
            if all(root_name(target) in _DISPLAY_ROOTS for target in targets):
                return True  # plt.rcParams["…"] = …
            # fig, ax = plt.subplots()
            return isinstance(value, ast.Call) and _is_of_plots(value.func)
    return False


def _is_of_plots(function: ast.expr) -> bool:
    return dotted(function, {}).partition(".")[0] in _DISPLAY_ROOTS


Places = frozenset[str]
"""Names of the function and of the argument that an expression is handed to."""


def _compare(
    old: ast.AST, new: ast.AST, differences: set[Meaning], places: Places = frozenset()
) -> None:
    """Walk two trees side by side and note how they differ."""
    one, other = full_name(old), full_name(new)
    if one != other and "." in one + other and one and other and is_rename(one, other):
        differences.add(Meaning.RENAME)  # np.int → int, tf.random_normal → tf.random.normal
    elif type(old) is not type(new):
        differences.add(Meaning.EXPERIMENT if is_rescaled(old, new) else Meaning.OTHER)
    elif isinstance(old, ast.Constant) and isinstance(new, ast.Constant):
        if old.value != new.value or type(old.value) is not type(new.value):
            differences.add(constants.compare(old.value, new.value, places))
    elif isinstance(old, ast.Call) and isinstance(new, ast.Call):
        _compare_calls(old, new, differences)
    elif isinstance(old, ast.Attribute) and isinstance(new, ast.Attribute):
        if old.attr != new.attr:
            differences.add(_renamed(old.attr, new.attr))
        _compare(old.value, new.value, differences, places)
    elif isinstance(old, ast.Name) and isinstance(new, ast.Name):
        if old.id != new.id:
            differences.add(Meaning.OTHER)
    elif isinstance(old, ast.Dict) and isinstance(new, ast.Dict):
        _compare_dicts(old, new, differences)
    elif _listed(old) != _listed(new) and not places & _DISPLAY_CALLS:
        differences.add(Meaning.EXPERIMENT)  # a feature, a class or a candidate more or less
    else:
        _compare_fields(old, new, differences, places)


def _other_step(old: ast.AST, new: ast.AST) -> bool:
    """Return whether both index a step of the same pipeline by different numbers:
    `model.steps[1]`."""
    if not (isinstance(old, ast.Subscript) and isinstance(new, ast.Subscript)):
        return False
    pipeline, numbers = dotted(old.value, {}), (literal(old.slice), literal(new.slice))
    same = tail(pipeline) == "steps" and dotted(new.value, {}) == pipeline
    return same and numbers[0] != numbers[1] and all(type(one) is int for one in numbers)


def _listed(node: ast.AST) -> int | None:
    """Return the length of a list of literals; None for anything else."""
    if not isinstance(node, (ast.List, ast.Set)) or not node.elts:
        return None
    plain = all(isinstance(item, ast.Constant) for item in node.elts)
    return len(node.elts) if plain else None


def _compare_dicts(old: ast.Dict, new: ast.Dict, differences: set[Meaning]) -> None:
    """Compare two dictionaries entry by entry: of parameters, mostly."""
    before, after = (
        {_entry(key): value for key, value in zip(one.keys, one.values, strict=True) if key}
        for one in (old, new)
    )
    if None in old.keys or None in new.keys or len(before) < len(old.keys):
        _compare_fields(old, new, differences, frozenset())
        return
    if {*map(ast.unparse, filter(None, old.keys))} != {*map(ast.unparse, filter(None, new.keys))}:
        differences.add(Meaning.RENAME)
    for key in before.keys() & after.keys():
        _compare(before[key], after[key], differences, frozenset({key}))
    for key in before.keys() ^ after.keys():
        matters = parameter_name(key) in MATTERS
        differences.add(Meaning.DEFAULT_PINNED if matters and key in after else Meaning.OTHER)


def _entry(key: ast.expr) -> str:
    """Return the key of an entry, without the path to a step of a pipeline: `estimator__C`."""
    text = literal(key)
    return text.rpartition("__")[2] if isinstance(text, str) else ast.unparse(key)


def _compare_fields(old: ast.AST, new: ast.AST, differences: set[Meaning], places: Places) -> None:
    if _other_step(old, new):
        differences.add(Meaning.OTHER)  # a step was put before it
        return
    for field in old._fields:
        one, other = getattr(old, field, None), getattr(new, field, None)
        if isinstance(one, ast.AST) and isinstance(other, ast.AST):
            _compare(one, other, differences, places)
        elif isinstance(one, list) and isinstance(other, list):
            _compare_lists(one, other, differences, places)
        elif one != other:
            differences.add(Meaning.OTHER)


def _compare_lists(
    old: list[object],
    new: list[object],
    differences: set[Meaning],
    places: Places = frozenset(),
) -> None:
    if all(isinstance(node, ast.stmt) for node in (*old, *new)):
        differences |= _compare_bodies(
            [node for node in old if isinstance(node, ast.stmt)],
            [node for node in new if isinstance(node, ast.stmt)],
        )
    elif len(old) != len(new):
        differences.add(Meaning.OTHER)
    else:
        for one, other in zip(old, new, strict=True):
            if isinstance(one, ast.AST) and isinstance(other, ast.AST):
                _compare(one, other, differences, places)
            elif one != other:
                differences.add(Meaning.OTHER)


def _follows(old: ast.Call, new: ast.Call) -> bool:
    """Return whether the new call is a method of the old one's result."""
    return isinstance(new.func, ast.Attribute) and ast.dump(new.func.value) == ast.dump(old)


def _compare_calls(old: ast.Call, new: ast.Call, differences: set[Meaning]) -> None:
    if _follows(old, new):
        differences.add(Meaning.OTHER)
        return
    one, other = full_name(old.func), full_name(new.func)
    if _compare_within(old, new, differences):
        return
    if one and other and one != other:
        differences.add(_renamed(one, other))
    else:
        _compare(old.func, new.func, differences)
    keywords = {keyword.arg: ast.dump(keyword.value) for keyword in new.keywords}
    spare = old.args[len(new.args) :]
    if spare and {ast.dump(arg) for arg in spare} <= set(keywords.values()):
        # positional arguments that became keywords
        differences.add(Meaning.RENAME)
        taken = {ast.dump(arg) for arg in spare}
        new_keywords = [keyword for keyword in new.keywords if ast.dump(keyword.value) in taken]
        old = ast.Call(old.func, old.args[: len(new.args)], [*old.keywords, *new_keywords])
    places = frozenset({tail(one) or _method(old), tail(other) or _method(new)})
    _compare_lists(list(old.args), list(new.args), differences, places)
    before = {keyword.arg: keyword.value for keyword in old.keywords}
    after = {keyword.arg: keyword.value for keyword in new.keywords}
    removed = [name for name in before if name not in after]
    added = [name for name in after if name not in before]
    for name in before.keys() & after.keys():
        _compare(before[name], after[name], differences, places | {name or ""})
    for name in list(removed):
        twin = next((n for n in added if ast.dump(after[n]) == ast.dump(before[name])), None)
        if twin is not None:
            differences.add(Meaning.RENAME)
            added.remove(twin)
            removed.remove(name)
    if removed:
        # an argument that no longer exists: one that matters is looked for in the whole cell
        differences.add(Meaning.RENAME)
    for name in added:
        differences.add(Meaning.SPEED if name in _SPEED_ARGUMENTS else Meaning.DEFAULT_PINNED)


def _compare_within(old: ast.Call, new: ast.Call, differences: set[Meaning]) -> bool:
    """Compare a call with the one that it is within the other: `f(x, how=g)` and `f(x).g()`.

    Return whether there was one. A wrapper that was added or removed counts as a statement's own.
    """
    name, other = _callee(old), _callee(new)
    if name == other or is_rename(name, other):
        return False
    inner = next((one for one in _calls_under(new) if _callee(one) == name), None)
    outer = next((one for one in _calls_under(old) if _callee(one) == other), None)
    if inner is not None:
        _compare(old, inner, differences)
    elif outer is not None:
        _compare(outer, new, differences)
    else:
        return False
    differences.add(Meaning.OTHER)
    return True


def _callee(node: ast.Call) -> str:
    return full_name(node.func) or _method(node)


def _calls_under(node: ast.Call) -> Iterator[ast.Call]:
    """Yield the calls that a call is a method of, or whose first argument they are, nearest
    first."""
    inner: ast.expr | None = node
    while inner is not None:
        if isinstance(inner, ast.Call) and inner is not node:
            yield inner
        match inner:
            case ast.Call(ast.Name() | ast.Attribute(ast.Name()), [first, *_]):
                inner = first  # `np.array(f(x))`
            case ast.Call(ast.Attribute(under)) | ast.Attribute(under) | ast.Subscript(under):
                inner = under
            case ast.Call(args=[first, *_]):
                inner = first
            case _:
                inner = None


def _method(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _renamed(old: str, new: str) -> Meaning:
    return Meaning.RENAME if is_rename(old, new) else Meaning.OTHER
