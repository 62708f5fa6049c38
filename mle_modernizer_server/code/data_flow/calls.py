"""Evaluate calls that train, predict, read, write, measure or only display something."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from mle_modernizer_server.code.data_flow.computed import by_call, draws
from mle_modernizer_server.code.data_flow.meanings import (
    BUILTINS,
    DATA_LIBRARIES,
    FITTING_AND_PREDICTING,
    JOINING,
    LOADING,
    MUTATORS,
    ONLY_SHAPE,
    OPTIMIZING,
    PART_OF,
    PREPARING,
    READERS,
    SAME_TABLE,
    SHOWING,
    TRAINING,
    TRAINING_FUNCTIONS,
    WRITERS,
    file_name,
    is_metric,
    is_predicting,
    origin_of_file,
)
from mle_modernizer_server.code.data_flow.scope import Scope, root_name
from mle_modernizer_server.code.data_flow.traces import SinkKind
from mle_modernizer_server.code.data_flow.values import (
    MODEL,
    NOTHING,
    PLAIN,
    UNKNOWN,
    Origin,
    Value,
    joined,
    of,
    table,
    together,
)


class Evaluator(Protocol):
    """The part of `interpreter.Interpreter` that calls need."""

    scope: Scope
    elementwise: int
    drawing: int
    returned: list[list[Value]]
    active: list[ast.AST]
    trained: bool

    def sink(self, kind: SinkKind, name: str, node: ast.AST, value: Value) -> None:
        """Note a value that leaves the notebook."""

    def training(self, node: ast.AST, data: Origin) -> None:
        """Note a call that trains."""

    def compute(self, node: ast.AST, what: str) -> None:
        """Note a computation with predictions, unless it is nothing."""

    def block(self, body: Iterable[ast.stmt]) -> bool:
        """Evaluate statements; whether the function ends within them."""

    def evaluate(self, node: ast.expr) -> Value:
        """Return the value of an expression."""


_DEEPEST = 8
_DATA = Origin.TRAIN | Origin.TEST | Origin.SAMPLE | Origin.OLD | Origin.UNKNOWN


class _Arguments:
    """The evaluated arguments of a call."""

    def __init__(self, interpreter: Evaluator, node: ast.Call) -> None:
        self.positional = [interpreter.evaluate(argument) for argument in node.args]
        self.named = {
            keyword.arg or f"**{at}": interpreter.evaluate(keyword.value)
            for at, keyword in enumerate(node.keywords)
        }
        self.values = [*self.positional, *self.named.values()]

    @property
    def all(self) -> Origin:
        """Return their origins."""
        return together(*self.values)

    @property
    def first(self) -> Value:
        """Return the first one, or nothing."""
        return self.values[0] if self.values else PLAIN

    def get(self, at: int, *names: str) -> Value:
        """Return an argument by place or name."""
        for name in names:
            if name in self.named:
                return self.named[name]
        return self.positional[at] if at < len(self.positional) else PLAIN


def call(interpreter: Evaluator, node: ast.Call) -> Value:
    """Return the value of a call, and apply its effects to the notebook's names."""
    if isinstance(node.func, ast.Attribute):
        owner = interpreter.evaluate(node.func.value)
        interpreter.drawing += (drawn := draws(node.func.attr, owner))
        arguments = _Arguments(interpreter, node)
        interpreter.drawing -= drawn
        if node.func.attr not in owner.methods:
            computation = by_call(node, node.func.attr, owner, arguments.values)
            interpreter.compute(node, computation)
        if owner.module and not owner.origins:
            return _of_module(interpreter, node, f"{owner.module}.{node.func.attr}", arguments)
        return _method(interpreter, node, owner, node.func.attr, arguments)
    arguments = _Arguments(interpreter, node)
    called = interpreter.evaluate(node.func)
    if called.function is None and isinstance(node.func, ast.Name):
        interpreter.compute(node, by_call(node, node.func.id, PLAIN, arguments.values))
    if called.module and not called.origins:
        return _of_module(interpreter, node, called.module, arguments)
    if called.function is not None:
        return invoke(interpreter, called.function, arguments.positional, arguments.named, node)
    if called.methods:
        return _instance(interpreter, node, called, arguments)
    if isinstance(node.func, ast.Name):
        return _named(interpreter, node, node.func.id, arguments, called)
    return of(called.all | arguments.all)  # a call of the result of a call or subscript


def _named(
    interpreter: Evaluator, node: ast.Call, name: str, arguments: _Arguments, called: Value
) -> Value:
    if name == "open":
        return _opened(arguments)
    if name in SHOWING:
        return _shown(interpreter, node, arguments)
    if name in ONLY_SHAPE:
        return PLAIN
    if name == "super" and not node.args and (own := _own_object(interpreter)) is not None:
        return replace(own, methods={})  # whose methods are the library's
    if name in interpreter.scope:
        # a call of an object: a network applied to data, for example
        origins = called.all | arguments.all | _applied(interpreter, arguments)
        return of(origins | Origin.PREDICTED if called.origins & Origin.FITTED else origins)
    if name in BUILTINS:
        return of(arguments.all | _applied(interpreter, arguments))
    return of(arguments.all | Origin.UNKNOWN)


def _own_object(interpreter: Evaluator) -> Value | None:
    """Return the object of the active method: its first parameter."""
    method = interpreter.active[-1] if interpreter.active else None
    if not isinstance(method, ast.FunctionDef) or not method.args.args:
        return None
    return interpreter.scope[method.args.args[0].arg]


def _shown(interpreter: Evaluator, node: ast.Call, arguments: _Arguments) -> Value:
    stream = arguments.named.get("file")
    if stream is not None and stream.file:
        interpreter.sink(SinkKind.SUBMISSION, stream.file, node, of(arguments.all))
    else:
        interpreter.sink(SinkKind.SHOWN, "print", node, of(arguments.all))
    return PLAIN


def _opened(arguments: _Arguments) -> Value:
    path, mode = arguments.get(0, "file").text, arguments.get(1, "mode").text or "r"
    if any(letter in mode for letter in "wax"):
        return Value(file=file_name(path) or "*")
    return of(origin_of_file(path) if path else _DATA)


def _of_module(interpreter: Evaluator, node: ast.Call, full: str, arguments: _Arguments) -> Value:
    """Evaluate a function or a class of a library."""
    root, name = full.partition(".")[0], full.rpartition(".")[2]
    origins = arguments.all
    if name == "open":
        return _opened(arguments)
    if name in READERS or full == "numpy.load":
        return _read(arguments)
    if name == "copyto" and node.args:
        interpreter.scope.change(root_name(node.args[0]), of(arguments.get(1, "src").all))
        return PLAIN
    if name == "savetxt":
        path = arguments.get(0, "fname").text
        interpreter.sink(SinkKind.SUBMISSION, file_name(path) or "*", node, arguments.get(1, "X"))
        return PLAIN
    _copied(interpreter, node, name, arguments)
    if name == "writer":
        return Value(file=arguments.first.file)
    if name in ONLY_SHAPE:
        return PLAIN
    learnt = _learnt(interpreter, node, full, arguments)
    if learnt is not None:
        return learnt
    if name in ("DataFrame", "Series", "array", "asarray") and arguments.values:
        return _frame(arguments)
    if name in JOINING:
        return table(*(arguments.first.items or [arguments.first]), *arguments.values[1:])
    origins |= _applied(interpreter, arguments)
    if root in DATA_LIBRARIES:
        return of(origins)
    if name[:1].isupper():
        return of(origins | Origin.OBJECT)
    libraries = ("sklearn", "keras", "tensorflow", "torch", "xgboost", "lightgbm", "statsmodels")
    return of(origins if root in libraries else origins | Origin.UNKNOWN)


def _copied(interpreter: Evaluator, node: ast.Call, name: str, arguments: _Arguments) -> None:
    """Note a copy of a file to a CSV file: a submission like one that is written."""
    moves = ("copy", "copy2", "copyfile", "move", "rename", "replace")
    if name not in moves or len(arguments.positional) < 2:
        return
    source, target = arguments.positional[0].text, arguments.positional[1].text
    if target.lower().endswith(".csv"):
        interpreter.sink(SinkKind.SUBMISSION, file_name(target), node, of(origin_of_file(source)))


def _learnt(
    interpreter: Evaluator, node: ast.Call, full: str, arguments: _Arguments
) -> Value | None:
    """Return the result of a function that trains, loads a model or measures; None for any
    other."""
    root, name = full.partition(".")[0], full.rpartition(".")[2]
    origins = arguments.all
    if name in FITTING_AND_PREDICTING:
        interpreter.training(node, origins)
        return of((origins & ~Origin.OBJECT) | Origin.PREDICTED)
    if name in TRAINING_FUNCTIONS and arguments.values:
        interpreter.training(node, origins)
        return of(origins | Origin.FITTED | Origin.OBJECT)
    if name in LOADING and root not in ("json", "yaml"):
        return of(Origin.FITTED if interpreter.trained else Origin.UNKNOWN)
    if is_metric(name):
        interpreter.sink(SinkKind.METRIC, name, node, of(origins))
        return of(origins & ~Origin.OBJECT)
    return None


def _read(arguments: _Arguments) -> Value:
    path = next((value.text for value in arguments.values if value.text), "")
    origins = origin_of_file(path) if path else arguments.first.all or _DATA
    if arguments.named.get("nrows", PLAIN).constant not in (None, ...):
        origins |= Origin.PART if origins & Origin.TRAIN else NOTHING
    return of(origins)


def _frame(arguments: _Arguments) -> Value:
    data = arguments.get(0, "data")
    if data.items and all(item.columns for item in data.items):  # of rows: `[{"a": 1}]`
        return table(*data.items)
    rest = [value for value in arguments.values if value is not data]
    others = [value.origins for value in rest if value.origins & ~Origin.OBJECT]
    origins = data.origins
    for more in others:
        origins |= more if not data.columns else NOTHING
    return Value(origins, data.columns)


def _method(
    interpreter: Evaluator, node: ast.Call, owner: Value, name: str, arguments: _Arguments
) -> Value:
    """Evaluate a method of an object."""
    assert isinstance(node.func, ast.Attribute)
    root = root_name(node.func.value)
    if name in owner.methods:
        return _own_method(interpreter, node, owner, name, arguments)
    for rule in (_writing, _learning, _predicting, _tabular):
        outcome = rule(interpreter, node, owner, name, arguments)
        if outcome is not None:
            return outcome
    if name in MUTATORS or _is_true(arguments.named.get("inplace", PLAIN)):
        interpreter.scope.mutate(root, arguments.all)
    if name == "fill" and root and root in interpreter.scope:
        interpreter.scope.change(root, of(arguments.all))
    if name in READERS:
        return _read(_with_owner(arguments, owner))
    if name == "join" and owner.constant is not ... and arguments.first.items is not None:
        return of(arguments.all)
    result = owner.all | arguments.all | _applied(interpreter, arguments, owner)
    text = "/".join(value.text or "*" for value in arguments.values)
    path = name in ("join", "joinpath") and any(value.text for value in arguments.values)
    return Value(result, text=text if path else "")


def _with_owner(arguments: _Arguments, owner: Value) -> _Arguments:
    arguments.values.append(owner)
    return arguments


def _writing(
    interpreter: Evaluator, node: ast.Call, owner: Value, name: str, arguments: _Arguments
) -> Value | None:
    if name == "to_csv":
        path = arguments.get(0, "path_or_buf", "path")
        if not arguments.values or path.constant is None:
            return owner
        target = path.file or file_name(path.text) or "*"
        interpreter.sink(SinkKind.SUBMISSION, target, node, owner)
        return PLAIN
    if name in WRITERS and owner.file:
        interpreter.sink(SinkKind.SUBMISSION, owner.file, node, of(arguments.all))
        return PLAIN
    return None


def _learning(
    interpreter: Evaluator, node: ast.Call, owner: Value, name: str, arguments: _Arguments
) -> Value | None:
    assert isinstance(node.func, ast.Attribute)
    if name in OPTIMIZING:
        interpreter.scope.fit_all((owner.all | arguments.all) & _DATA)
        interpreter.training(node, owner.all | arguments.all)
        return of(owner.all | Origin.FITTED)
    trains = name in TRAINING or (name in TRAINING_FUNCTIONS and bool(arguments.values))
    if not trains:
        return None
    data = arguments.all | _applied(interpreter, arguments)
    prepares = name in PREPARING
    if not prepares and not _encodes(node.func.value):
        interpreter.training(node, data)
    taken = (data & ~MODEL) | Origin.FITTED
    column = node.func.value.attr if isinstance(node.func.value, ast.Attribute) else ""
    interpreter.scope.mutate(root_name(_itself(node.func.value)), taken, column)
    if prepares:
        return replace(table(*arguments.positional[:1]), constant=...).plus(data & ~MODEL)
    fitted = owner.all | taken
    return of(fitted | Origin.PREDICTED) if name == "fit_predict" else of(fitted)


def _itself(node: ast.expr) -> ast.expr:
    """Return the object of methods that return it: `model` of `model.set_params(…)`."""
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("set_params", "compile")
    ):
        node = node.func.value
    return node


def _predicting(
    interpreter: Evaluator, node: ast.Call, owner: Value, name: str, arguments: _Arguments
) -> Value | None:
    if name in PREPARING:
        first = arguments.first
        return Value(first.origins | (owner.all & _DATA), first.columns)
    if not is_predicting(name):
        return None
    if name == "run" and not owner.origins & (Origin.OBJECT | Origin.FITTED):
        return None
    origins = (owner.all | arguments.all) & ~(Origin.FITTED | Origin.OBJECT | Origin.PART)
    if name == "run" and arguments.all & _DATA:  # a session of TensorFlow 1 trains so, too
        assert isinstance(node.func, ast.Attribute)
        interpreter.scope.mutate(root_name(node.func.value), arguments.all | Origin.FITTED)
        interpreter.training(node, arguments.all)
        return of(origins | Origin.PREDICTED)
    if owner.all & Origin.FITTED:
        return of(origins | Origin.PREDICTED)
    return of(origins | Origin.UNKNOWN)


def _tabular(
    interpreter: Evaluator, node: ast.Call, owner: Value, name: str, arguments: _Arguments
) -> Value | None:
    """Evaluate a method of a table with separate columns; return None for any other."""
    assert isinstance(node.func, ast.Attribute)
    if name == "assign":
        return replace(
            owner,
            columns={**owner.columns, **{key: value.all for key, value in arguments.named.items()}},
        )
    if name == "insert" and len(arguments.positional) == 3 and arguments.positional[1].text:
        column = arguments.positional[1].text
        interpreter.scope.write_column(
            root_name(node.func.value), column, arguments.positional[2].all, whole=True
        )
        return PLAIN
    if name in JOINING and (owner.columns or arguments.first.columns):
        return table(owner, *(arguments.first.items or [arguments.first]), *arguments.values[1:])
    if name == "update" and owner.columns:
        other = arguments.all
        if other & (Origin.SAMPLE | Origin.OLD) and not other & (Origin.PREDICTED | Origin.UNKNOWN):
            for column in owner.columns:
                interpreter.scope.write_column(
                    root_name(node.func.value), column, other, whole=True
                )
            return PLAIN
    if name in SAME_TABLE:
        part = NOTHING
        whole = arguments.named.get("frac", PLAIN).constant in (1, 1.0)
        takes_some = arguments.values and not whole and name in PART_OF
        if takes_some and owner.all & Origin.TRAIN and not interpreter.elementwise:
            part = Origin.PART
        inputs = arguments.all if name in ("fillna", "replace", "query") else NOTHING
        same = replace(owner, constant=..., text="", items=None)
        return same.plus(inputs | part) if inputs | part else same
    return None


def _instance(
    interpreter: Evaluator, node: ast.Call, called: Value, arguments: _Arguments
) -> Value:
    """Return an instance of a class of the notebook, or the result of calling such an instance."""
    if not called.is_class:
        for name in ("__call__", "forward", "call"):
            if name in called.methods:
                value = _own_method(interpreter, node, called, name, arguments)
                fitted = called.origins & Origin.FITTED
                return value.plus(Origin.PREDICTED) if fitted else value
        more = Origin.PREDICTED if called.origins & Origin.FITTED else Origin.UNKNOWN
        return of(called.all | arguments.all | more)
    instance = replace(called, is_class=False, origins=called.origins | arguments.all)
    if "__init__" not in called.methods:
        return instance
    values = [instance, *arguments.positional]
    return invoke(
        interpreter, called.methods["__init__"], values, arguments.named, None, gives_self=True
    )


def _own_method(
    interpreter: Evaluator, node: ast.Call, owner: Value, name: str, arguments: _Arguments
) -> Value:
    assert isinstance(node.func, (ast.Attribute, ast.Name))
    receiver = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    if name in TRAINING:
        if not _trains_itself(owner.methods[name]):
            interpreter.training(node, arguments.all)
        owner = owner.plus((arguments.all & ~MODEL) | Origin.FITTED)
        interpreter.scope.mutate(root_name(receiver), owner.origins)
    values = [owner, *arguments.positional]
    expressions: list[ast.expr] = [receiver, *node.args]
    return invoke(
        interpreter, owner.methods[name], values, arguments.named, node, expressions=expressions
    )


def _trains_itself(method: ast.AST) -> bool:
    """Return whether a method calls the training of `super()`, which notes it."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in TRAINING
        and isinstance(node.func.value, ast.Call)
        and isinstance(node.func.value.func, ast.Name)
        and node.func.value.func.id == "super"
        for node in ast.walk(method)
    )


_ENCODERS = frozenset({"LabelEncoder", "LabelBinarizer", "OrdinalEncoder"})
"""Classes that number labels; nothing is learned of them."""


def _encodes(owner: ast.expr) -> bool:
    """Return whether it is `LabelEncoder()`, made at its call of `fit`."""
    return (
        isinstance(owner, ast.Call)
        and isinstance(owner.func, ast.Name)
        and owner.func.id in _ENCODERS
    )


def _applied(interpreter: Evaluator, arguments: _Arguments, owner: Value = PLAIN) -> Origin:
    """Return the results of functions in arguments, which are applied to the other arguments."""
    origins = NOTHING
    for value in arguments.values:
        if value.function is not None:
            data = of(owner.all | arguments.all)
            count = len(value.function.args.args)
            interpreter.elementwise += 1
            try:
                origins |= invoke(interpreter, value.function, [data] * count, {}, None).all
            finally:
                interpreter.elementwise -= 1
    return origins


def invoke(
    interpreter: Evaluator,
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
    positional: Sequence[Value],
    keywords: dict[str, Value],
    node: ast.Call | None,
    *,
    expressions: Sequence[ast.expr] | None = None,
    gives_self: bool = False,
) -> Value:
    """Return the result of a function of the notebook: evaluate its body with the arguments.

    Args:
        interpreter: The evaluation.
        function: The function.
        positional: Arguments by place.
        named: Arguments by name.
        node: The call; None: the names in its arguments do not change.
        expressions: The expressions of the arguments by place; None: the call's.
        gives_self: The result is the first argument, as the body leaves it.
    """
    if function in interpreter.active or len(interpreter.active) >= _DEEPEST:
        return of(together(*positional, *keywords.values()))
    before = _parameters(interpreter, function, positional, keywords)
    interpreter.active.append(function)
    interpreter.scope.enter(before)
    interpreter.returned.append([])
    try:
        if isinstance(function, ast.Lambda):
            interpreter.returned[-1].append(interpreter.evaluate(function.body))
        else:
            interpreter.block(function.body)
    finally:
        interpreter.active.pop()
        after = interpreter.scope.leave()
        returned = interpreter.returned.pop()
    names = [argument.arg for argument in function.args.args]
    sources = expressions if expressions is not None else (node.args if node else ())
    for name, expression in zip(names, sources, strict=False):
        _hand_back(interpreter, expression, before.get(name, PLAIN), after.get(name, PLAIN))
    if gives_self:
        return after.get(names[0], PLAIN) if names else PLAIN
    result = returned[0] if returned else PLAIN
    for value in returned[1:]:
        result = joined(result, value)
    return result


def _parameters(
    interpreter: Evaluator,
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
    positional: Sequence[Value],
    keywords: dict[str, Value],
) -> dict[str, Value]:
    parameters = function.args
    names = [one.arg for one in (*parameters.posonlyargs, *parameters.args)]
    rest = of(together(*positional[len(names) :], *keywords.values()))
    bound: dict[str, Value] = {}
    for extra in (parameters.vararg, parameters.kwarg):
        if extra is not None:
            bound[extra.arg] = rest
    defaults = dict(zip(reversed(names), reversed(parameters.defaults), strict=False))
    for one, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
        names.append(one.arg)
        if default is not None:
            defaults[one.arg] = default
    for at, name in enumerate(names):
        if at < len(positional):
            bound[name] = positional[at]
        elif name in keywords:
            bound[name] = keywords[name]
        else:
            default = defaults.get(name)
            bound[name] = UNKNOWN if default is None else interpreter.evaluate(default)
    return bound


def _hand_back(interpreter: Evaluator, expression: ast.expr, before: Value, after: Value) -> None:
    """Apply the changes of a function's argument to the caller's name."""
    root = root_name(expression)
    if not root or root not in interpreter.scope:
        return
    if after.origins & Origin.FITTED and not before.origins & Origin.FITTED:
        interpreter.scope.mutate(root, after.origins)
    for name, origins in after.columns.items():
        if before.columns.get(name) != origins:
            interpreter.scope.write_column(root, name, origins, whole=False)


def _is_true(value: Value) -> bool:
    return value.constant is True
