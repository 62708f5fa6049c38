"""List the facts of some code that matter to the honesty of an experiment."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from mle_modernizer_server.code.calls import ARRAY_READERS, PREPARING_FITTERS, TABLE_READERS, table
from mle_modernizer_server.code.canonical.equal_scales import scaling
from mle_modernizer_server.code.cell_syntax import magic_of
from mle_modernizer_server.code.code_names import (
    called_name,
    dotted,
    literal,
    tail,
)
from mle_modernizer_server.code.data_flow.meanings import is_training
from mle_modernizer_server.code.paths import texts_in, written_path, written_text
from mle_modernizer_server.fixing.integrity import predictions
from mle_modernizer_server.fixing.integrity.parameters import parameters
from mle_modernizer_server.fixing.integrity.shortcuts import shortcuts


class FactKind(str, Enum):
    """The things that are looked for."""

    PRIVATE = "private-answers"
    OLD_SUBMISSION = "existing-submission"
    CONSTANT_PREDICTION = "constant-prediction"
    FIXED_SCORE = "hard-coded-score"
    NETWORK = "network"
    PROCESS = "process"
    DELETION = "deletion"
    SWALLOWED = "swallowed-error"
    KNOWS_NOTHING = "model-knows-nothing"
    REPLACED = "prediction-replaced"
    FIXED_METRIC = "metric-fixed"
    OTHER_DATA = "outside-data"
    ENDED = "notebook-ended"
    CONSTANT_COLUMN = "constant-column"
    """Of any table: a prediction only if the competition names the column."""
    TRAINING = "training-step"
    FEATURE = "feature-step"
    TRANSFORMER = "transformer"
    """A step that scales, selects or makes features before a model, in a pipeline mostly."""
    MODEL = "model"
    THINNING = "data-thinned"
    PARAMETER = "parameter"
    ASSERTION = "assertion"
    TRAINED_ON = "training-data"
    MEASURED = "metric-arguments"
    CONDITION = "condition-around-training"
    ARGUMENT = "argument"
    """A named argument: `function.name`."""
    WRITTEN = "written"
    """A literal that is an argument by place."""


@dataclass(frozen=True)
class Fact:
    """One such thing: `key` identifies it among others of its kind, `value` is a parameter's
    value."""

    kind: FactKind
    key: str = ""
    value: str = ""


MODEL_NAME = re.compile(
    r"(?:Classifier|Regressor|Regression|RegressionCV|SVC|SVR|NB|Lasso|LassoCV|Ridge|RidgeCV|"
    r"ElasticNet|ElasticNetCV|Sequential|Prophet|KMeans)\Z"
)
_TABLE: dict[str, str] = table(__file__)
_TRANSFORMERS = frozenset(_TABLE["transformers"].split())
_NETWORK_MODULES = _TABLE["network_modules"].split()
_NETWORK_CALLS = frozenset(_TABLE["network_calls"].split())
_NETWORK_NAMES = tuple(_TABLE["network_names"].split())
_SHELL_METHODS = frozenset(_TABLE["shell_methods"].split())
_SHELL_MAGICS = frozenset(_TABLE["shell_magics"].split())
_READERS = TABLE_READERS | ARRAY_READERS | {"open", "read_text", "copyfile", "copy2"}
_OF_PYTHON_2 = dict.fromkeys(("urllib2", "urllib.urlopen", "urllib.urlretrieve"), "urllib.request")
_URL = re.compile(r"\s*(?:https?|ftp|s3|gs)://[^\s/$\\]")
_BEFORE_COMMAND, _BEHIND_COMMAND = r"(?:^|[\s;&|(`])(?:\S*/bin/)?", r"(?:[\s;&|)]|$)"
_NETWORK_COMMAND = re.compile(
    _BEFORE_COMMAND
    + r"(?:pip3?|conda|mamba|uv|apt|apt-get|wget|curl|git|kaggle|gsutil|aws|ssh|scp|nc)"
    + _BEHIND_COMMAND
)
_DELETING_COMMAND = re.compile(
    _BEFORE_COMMAND + r"(?:rm|rmdir|unlink|shred|truncate)" + _BEHIND_COMMAND
)
_PROCESS_NAMES = re.compile(
    r"(?:os\.(?:system|popen\d?|exec\w+|spawn\w+|posix_spawnp?|fork|kill)|subprocess(?:\..+)?|"
    r"commands\.\w+|pty\.\w+|importlib\.import_module|runpy\.\w+|ctypes(?:\..+)?|builtins\.\w+|"
    r"eval|exec|compile|execfile|__import__|__builtins__|"
    # other objects of the process, code that runs later, data that unpack themselves
    r"gc\.get_\w+|inspect\.(?:stack|trace|currentframe|get(?:outer|inner)frames)|"
    r"sys\.(?:_getframe|_current_frames|settrace|setprofile)|traceback\.walk_stack|"
    r"threading\.(?:Timer|Thread)|(?:c?pickle|_pickle|dill|cloudpickle|marshal)\.loads)\Z",
    re.IGNORECASE,
)
_DELETING_NAMES = re.compile(
    r"(?:os\.(?:remove|unlink|rmdir|removedirs|truncate)|shutil\.rmtree)\Z"
)
_DELETING_METHODS = frozenset({"unlink", "rmdir", "rmtree"})
_HOOKS = frozenset({"events.register", "ast_transformers.append", "set_custom_exc"})
_PRIVATE = re.compile(
    r"(?:^|[/\\])(?:prepared[/\\]+(?:\*|private)|private)(?:[/\\]|\Z)|"
    r"(?:^|[/\\])(?:test_?)?(?:answers?|solutions?|ground_?truth)\.(?:csv|parquet|feather|pkl|json)",
    re.IGNORECASE,
)
_READER_NAMES = frozenset({"shutil.copy", "shutil.move", "os.rename", "os.replace", "numpy.load"})
_SUBMISSION = re.compile(
    r"submi(?:ssion|t)|(?:^|[_-])pred(?:s|ictions?)?(?=[_.\d-])", re.IGNORECASE
)
_SAMPLE = re.compile(r"sample|gender|example|format|null|template", re.IGNORECASE)


def facts_of(tree: ast.Module, aliases: Mapping[str, str]) -> Counter[Fact]:
    """Return the facts of a cell with their numbers.

    Args:
        tree: The cell, in its canonical form.
        aliases: Full names by the notebook's names, see `import_aliases`.
    """
    return Counter(fact for fact, _ in located_facts(tree, aliases))


def facts_by_line(tree: ast.Module, aliases: Mapping[str, str]) -> dict[Fact, list[int]]:
    """Return the facts of a cell, each with its lines in order."""
    facts: dict[Fact, list[int]] = {}
    for fact, line in located_facts(tree, aliases):
        facts.setdefault(fact, []).append(line)
    return {fact: sorted(lines) for fact, lines in facts.items()}


def located_facts(tree: ast.Module, aliases: Mapping[str, str]) -> Iterator[tuple[Fact, int]]:
    """Yield the facts of a cell, each with its line."""
    for node in ast.walk(tree):
        for fact in _facts(node, aliases):
            yield fact, getattr(node, "lineno", 1)
    for text, line in texts_in(tree):
        match = _PRIVATE.search(text)
        # a bare word is a path only if it is joined to one, and then its joined form is here
        if match and re.search(r"[/\\.]", text):
            yield Fact(FactKind.PRIVATE, match.group().strip("/\\").lower()), line
    for path, line in _handed_on(tree, aliases):
        yield Fact(FactKind.OLD_SUBMISSION, path), line
    for kind, places in (
        (FactKind.CONSTANT_PREDICTION, predictions.constant_predictions(tree, aliases)),
        (FactKind.CONSTANT_COLUMN, predictions.constant_columns(tree, aliases)),
        (FactKind.FIXED_SCORE, predictions.fixed_scores(tree)),
        (FactKind.THINNING, _thinnings(tree, aliases)),
    ):
        for key, line in places:
            yield Fact(kind, key), line
    for shortcut, key, line in shortcuts(tree, aliases):
        yield Fact(FactKind(shortcut), key), line
    for name, value, line in parameters(tree, aliases):
        yield Fact(FactKind.PARAMETER, name, value), line


def _handed_on(tree: ast.Module, aliases: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield old submissions that a function gets together with a reader: a copy made later."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        names = [dotted(one, aliases) for one in node.args]
        if not any(name in _READER_NAMES or tail(name) in _READERS for name in names if name):
            continue
        for one in node.args:
            path = literal(one)
            if isinstance(path, str) and _SUBMISSION.search(path) and not _SAMPLE.search(path):
                yield path, node.lineno


def _facts(node: ast.AST, aliases: Mapping[str, str]) -> Iterator[Fact]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from _imported(node)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        yield from _named(node, aliases)
    elif isinstance(node, ast.Subscript) and literal(node.slice) == "__builtins__":
        yield Fact(FactKind.PROCESS, "__builtins__")
    elif isinstance(node, ast.Try):
        silent = any(
            not any(isinstance(inner, ast.Raise) for inner in ast.walk(handler))
            for handler in node.handlers
        )
        if silent and _trains(node.body, aliases):
            yield Fact(FactKind.SWALLOWED, "training")
        elif (
            silent
            and _predicts(node.body)
            and not all(_predicts(handler.body) for handler in node.handlers)
        ):
            yield Fact(FactKind.SWALLOWED, "prediction")
        elif silent and _fills_a_column(node.body) and all(map(_does_nothing, node.handlers)):
            yield Fact(FactKind.SWALLOWED, "assignment")
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        names = {tail(dotted(item.context_expr, aliases)) for item in node.items} | {
            tail(dotted(item.context_expr.func, aliases))
            for item in node.items
            if isinstance(item.context_expr, ast.Call)
        }
        if "suppress" in names and _trains(node.body, aliases):
            yield Fact(FactKind.SWALLOWED, "training")
    elif isinstance(node, ast.Call):
        yield from _called(node, aliases)


def _nodes(body: list[ast.stmt]) -> Iterator[ast.AST]:
    return (inner for statement in body for inner in ast.walk(statement))


def _fills_a_column(body: list[ast.stmt]) -> bool:
    """Return whether some statements write into a table or an array."""
    return any(
        isinstance(target, ast.Subscript)
        for inner in _nodes(body)
        if isinstance(inner, ast.Assign)
        for target in inner.targets
    )


def _does_nothing(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler ignores any error at all: `errors="ignore"` names its own."""
    broad = handler.type is None or tail(dotted(handler.type, {})) in ("Exception", "BaseException")
    return broad and all(isinstance(one, (ast.Pass, ast.Continue)) for one in handler.body)


def _trains(body: list[ast.stmt], aliases: Mapping[str, str]) -> bool:
    return any(is_training(inner, aliases) for inner in _nodes(body))


def _predicts(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(inner, ast.Attribute) and inner.attr.startswith("predict")
        for inner in _nodes(body)
    )


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[Fact]:
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    else:
        modules = [f"{node.module}.{alias.name}" for alias in node.names]
    for module in modules:
        for listed in _NETWORK_MODULES:
            if module == listed or module.startswith(listed + "."):
                yield Fact(FactKind.NETWORK, _OF_PYTHON_2.get(listed, listed))


def _named(node: ast.Name | ast.Attribute, aliases: Mapping[str, str]) -> Iterator[Fact]:
    name = dotted(node, aliases)
    if _PROCESS_NAMES.match(name):
        yield Fact(FactKind.PROCESS, name)
    elif _DELETING_NAMES.match(name) and tail(name) not in _DELETING_METHODS:
        yield Fact(FactKind.DELETION, tail(name))
    elif name.startswith(_NETWORK_NAMES):
        # Python 2's urllib2 is today's urllib.request
        yield Fact(FactKind.NETWORK, name.replace("urllib2", "urllib.request"))


def _called(node: ast.Call, aliases: Mapping[str, str]) -> Iterator[Fact]:
    magic = magic_of(node)
    if magic is not None:
        yield from _shell(*magic)
        return
    name = dotted(node.func, aliases)
    last = tail(name)
    if is_training(node, aliases):
        yield Fact(FactKind.TRAINING)
    elif last in PREPARING_FITTERS:
        yield Fact(FactKind.FEATURE)
    if MODEL_NAME.search(last):
        yield Fact(FactKind.MODEL, last)
    if last in _TRANSFORMERS:
        yield Fact(FactKind.TRANSFORMER, last)
    elif scaling(node):
        yield Fact(FactKind.TRANSFORMER, scaling(node))
    if name.endswith(tuple(_HOOKS)):
        yield Fact(FactKind.PROCESS, last)
    if last in _NETWORK_CALLS:
        yield Fact(FactKind.NETWORK, last)
    yield from _module_written(node, last)
    if last in _DELETING_METHODS and (
        isinstance(node.func, ast.Attribute) or _DELETING_NAMES.match(name)
    ):
        yield Fact(FactKind.DELETION, last)
    yield from _given(node, name, aliases)


def _module_written(node: ast.Call, name: str) -> Iterator[Fact]:
    """Yield a written file of Python code: its import runs it unseen."""
    if not (_opened_to_write(node) or name in ("write_text", "write_bytes")):
        return
    for inner in ast.walk(node):
        path = literal(inner) if isinstance(inner, ast.expr) else None
        if isinstance(path, str) and path.endswith(".py"):
            yield Fact(FactKind.PROCESS, path)


def _given(node: ast.Call, name: str, aliases: Mapping[str, str]) -> Iterator[Fact]:
    """Yield the facts in the arguments of a call."""
    last = tail(name)
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    if last == "getattr" and arguments:
        owner = dotted(arguments[0], aliases)
        if owner in ("os", "subprocess", "builtins", "__builtins__", "importlib", "shutil"):
            yield Fact(FactKind.PROCESS, f"getattr of {owner}")
    for keyword in node.keywords:
        if keyword.arg:
            yield Fact(FactKind.ARGUMENT, f"{last}.{keyword.arg}")
    for argument in node.args:
        if literal(argument) is not ...:
            yield Fact(FactKind.WRITTEN, repr(literal(argument)))
    texts = [text for argument in arguments if (text := written_text(argument)) is not None]
    for text in texts:
        if _URL.match(text):
            yield Fact(FactKind.NETWORK, text.strip())
    if (last in _READERS and not _opened_to_write(node)) or name in _READER_NAMES:
        base = written_text(node.func.value) if isinstance(node.func, ast.Attribute) else None
        for text in (*texts, *([base] if base else [])):
            file = re.split(r"[/\\]", text)[-1]
            if _SUBMISSION.search(file) and not _SAMPLE.search(file):
                yield Fact(FactKind.OLD_SUBMISSION, file)


def _opened_to_write(node: ast.Call) -> bool:
    return called_name(node) == "open" and written_path(node) is not None


def _shell(method: str, texts: tuple[str, ...]) -> Iterator[Fact]:
    """Yield the facts of commands that IPython passes to a shell or to another interpreter."""
    if method in _SHELL_METHODS:
        commands = texts[:1] or ("shell",)
    elif method in ("run_line_magic", "run_cell_magic", "magic"):
        name = texts[0].split()[0].lstrip("%") if texts and texts[0].split() else ""
        if name not in _SHELL_MAGICS:
            return
        body = texts[2] if len(texts) > 2 else ""
        commands = (" ".join(texts[:2]), *body.splitlines())
    else:
        return
    for command in commands:
        words = " ".join(command.split())
        if _NETWORK_COMMAND.search(words) or "://" in words:
            yield Fact(FactKind.NETWORK, words[:200])
        elif _DELETING_COMMAND.search(words):
            yield Fact(FactKind.DELETION, words[:200])
        elif words:
            yield Fact(FactKind.PROCESS, words.partition(" ")[0][:60])


_ROWS = 50
"""A slice up to fewer items than this is taken for a piece of text or some columns."""


def _thinnings(tree: ast.Module, aliases: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the places at which a variable or a training gets less data than there is."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)):
            roots: list[ast.AST] = [node.value] if node.value is not None else []
        elif isinstance(node, ast.Call) and is_training(node, aliases):
            roots = [*node.args, *node.keywords]
        else:
            continue
        for root in roots:
            for inner in ast.walk(root):
                key = _thinning(inner)
                if key:
                    yield key, getattr(inner, "lineno", 1)


def _thinning(node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        name = called_name(node)
        words = {keyword.arg: literal(keyword.value) for keyword in node.keywords}
        grid = name == "subplots" or "ncols" in words  # of plots
        for word in ("nrows", "n_rows", "skiprows", "skipfooter", "skip_footer"):
            if words.get(word) not in (None, 0) and not (grid and word == "nrows"):
                return word.replace("skip_footer", "skipfooter")
        if name == "sample" and isinstance(node.func, ast.Attribute):
            whole = words.get("frac") in (1, 1.0)
            return "" if whole or not (node.args or words) else "sample"
        if name in ("head", "tail", "nlargest", "nsmallest") and isinstance(
            node.func, ast.Attribute
        ):
            return name
    match node:
        case (
            ast.Subscript(slice=ast.Slice() as part)
            | ast.Subscript(slice=ast.Tuple([ast.Slice() as part, *_]))
        ):
            upper, step = literal(part.upper), literal(part.step)
            some = type(upper) is int and abs(upper) >= _ROWS
            return "slice" if some or (isinstance(step, int) and step > 1) else ""
    return ""
