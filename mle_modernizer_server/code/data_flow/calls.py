"""Evaluate calls that train, predict, read, write, measure or only display something."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

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
from mle_modernizer_server.code.data_flow.traces import Recorder, SinkKind
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
from mle_modernizer_server.code.expressions import root_name
from mle_modernizer_server.code.names import Function, defaults_of

_DEEPEST = 8
_DATA = Origin.TRAIN | Origin.TEST | Origin.SAMPLE | Origin.OLD | Origin.UNKNOWN


class _Call:
    """A call with its evaluated arguments."""

    def __init__(self, interpreter: Recorder, node: ast.Call) -> None:
        self.interpreter, self.node, self.scope = interpreter, node, interpreter.scope
        self.positional = [interpreter.evaluate(argument) for argument in node.args]
        self.named = {
            keyword.arg or f"**{at}": interpreter.evaluate(keyword.value)
            for at, keyword in enumerate(node.keywords)
        }
        self.values = [*self.positional, *self.named.values()]

    @property
    def all(self) -> Origin:
        """Return the origins of the arguments."""
        return together(*self.values)

    @property
    def first(self) -> Value:
        """Return the first argument, or nothing."""
        return self.values[0] if self.values else PLAIN

    def get(self, at: int, *names: str) -> Value:
        """Return an argument by place or name."""
        for name in names:
            if name in self.named:
                return self.named[name]
        return self.positional[at] if at < len(self.positional) else PLAIN

    @property
    def receiver(self) -> ast.expr:
        """Return the object of a method, or the called function."""
        return self.node.func.value if isinstance(self.node.func, ast.Attribute) else self.node.func

    @property
    def root(self) -> str:
        """Return the name at the beginning of the receiver; empty if there is none."""
        return root_name(self.receiver)

    def sink(self, kind: SinkKind, name: str, value: Value) -> None:
        """Note a value that leaves the notebook by the call."""
        self.interpreter.sink(kind, name, self.node, value)

    def train(self, data: Origin) -> None:
        """Note that the call trains."""
        self.interpreter.training(self.node, data)


def evaluate_call(interpreter: Recorder, node: ast.Call) -> Value:
    """Return the value of a call, and apply its effects to the notebook's names."""
    if isinstance(node.func, ast.Attribute):
        name, owner = node.func.attr, interpreter.evaluate(node.func.value)
        interpreter.drawing += (drawn := draws(name, owner))
        call = _Call(interpreter, node)
        interpreter.drawing -= drawn
        if name not in owner.methods:
            interpreter.compute(node, by_call(node, name, owner, call.values))
        if owner.module and not owner.origins:
            return _of_module(call, f"{owner.module}.{name}")
        return _method(call, owner, name)
    call = _Call(interpreter, node)
    called = interpreter.evaluate(node.func)
    if called.function is None and isinstance(node.func, ast.Name):
        interpreter.compute(node, by_call(node, node.func.id, PLAIN, call.values))
    if called.module and not called.origins:
        return _of_module(call, called.module)
    if called.function is not None:
        return invoke(interpreter, called.function, call.positional, call.named, node.args)
    if called.methods:
        return _instance(call, called)
    if isinstance(node.func, ast.Name):
        return _named(call, node.func.id, called)
    return of(called.all | call.all)  # a call of the result of a call or subscript


def _named(call: _Call, name: str, called: Value) -> Value:
    if name == "open":
        return _opened(call)
    if name in SHOWING:
        return _shown(call)
    if name in ONLY_SHAPE:
        return PLAIN
    own = _own_object(call.interpreter) if name == "super" and not call.node.args else None
    if own is not None:
        return replace(own, methods={})  # whose methods are the library's
    if name in call.scope:
        # a call of an object: a network applied to data, for example
        origins = called.all | call.all | _applied(call)
        return of(origins | Origin.PREDICTED if called.origins & Origin.FITTED else origins)
    if name in BUILTINS:
        return of(call.all | _applied(call))
    return of(call.all | Origin.UNKNOWN)


def _own_object(interpreter: Recorder) -> Value | None:
    """Return the object of the active method: its first parameter."""
    method = interpreter.active[-1] if interpreter.active else None
    if not isinstance(method, ast.FunctionDef) or not method.args.args:
        return None
    return interpreter.scope[method.args.args[0].arg]


def _shown(call: _Call) -> Value:
    stream = call.named.get("file")
    if stream is not None and stream.file:
        call.sink(SinkKind.SUBMISSION, stream.file, of(call.all))
    else:
        call.sink(SinkKind.SHOWN, "print", of(call.all))
    return PLAIN


def _opened(call: _Call) -> Value:
    path, mode = call.get(0, "file").text, call.get(1, "mode").text or "r"
    if any(letter in mode for letter in "wax"):
        return Value(file=file_name(path) or "*")
    return of(origin_of_file(path) if path else _DATA)


def _of_module(call: _Call, full: str) -> Value:
    """Evaluate a function or a class of a library."""
    root, name = full.partition(".")[0], full.rpartition(".")[2]
    origins = call.all
    if name == "open":
        return _opened(call)
    if name in READERS or full == "numpy.load":
        return _read(call)
    if name == "copyto" and call.node.args:
        call.scope.change(root_name(call.node.args[0]), of(call.get(1, "src").all))
        return PLAIN
    if name == "savetxt":
        path = call.get(0, "fname").text
        call.sink(SinkKind.SUBMISSION, file_name(path) or "*", call.get(1, "X"))
        return PLAIN
    _copied(call, name)
    if name == "writer":
        return Value(file=call.first.file)
    if name in ONLY_SHAPE:
        return PLAIN
    learnt = _learnt(call, full)
    if learnt is not None:
        return learnt
    if name in ("DataFrame", "Series", "array", "asarray") and call.values:
        return _frame(call)
    if name in JOINING:
        return table(*(call.first.items or [call.first]), *call.values[1:])
    origins |= _applied(call)
    if root in DATA_LIBRARIES:
        return of(origins)
    if name[:1].isupper():
        return of(origins | Origin.OBJECT)
    libraries = ("sklearn", "keras", "tensorflow", "torch", "xgboost", "lightgbm", "statsmodels")
    return of(origins if root in libraries else origins | Origin.UNKNOWN)


def _copied(call: _Call, name: str) -> None:
    """Note a copy of a file to a CSV file: a submission like one that is written."""
    moves = ("copy", "copy2", "copyfile", "move", "rename", "replace")
    if name not in moves or len(call.positional) < 2:
        return
    source, target = call.positional[0].text, call.positional[1].text
    if target.lower().endswith(".csv"):
        call.sink(SinkKind.SUBMISSION, file_name(target), of(origin_of_file(source)))


def _learnt(call: _Call, full: str) -> Value | None:
    """Return the result of a function that trains, loads a model or measures; None for any
    other."""
    root, name = full.partition(".")[0], full.rpartition(".")[2]
    origins = call.all
    if name in FITTING_AND_PREDICTING:
        call.train(origins)
        return of((origins & ~Origin.OBJECT) | Origin.PREDICTED)
    if name in TRAINING_FUNCTIONS and call.values:
        call.train(origins)
        return of(origins | Origin.FITTED | Origin.OBJECT)
    if name in LOADING and root not in ("json", "yaml"):
        return of(Origin.FITTED if call.interpreter.trainings else Origin.UNKNOWN)
    if is_metric(name):
        call.sink(SinkKind.METRIC, name, of(origins))
        return of(origins & ~Origin.OBJECT)
    return None


def _read(call: _Call, owner: Value = PLAIN) -> Value:
    values = (*call.values, owner)
    path = next((value.text for value in values if value.text), "")
    origins = origin_of_file(path) if path else values[0].all or _DATA
    if call.named.get("nrows", PLAIN).constant not in (None, ...):
        origins |= Origin.PART if origins & Origin.TRAIN else NOTHING
    return of(origins)


def _frame(call: _Call) -> Value:
    data = call.get(0, "data")
    if data.items and all(item.columns for item in data.items):  # of rows: `[{"a": 1}]`
        return table(*data.items)
    rest = [value for value in call.values if value is not data]
    others = [value.origins for value in rest if value.origins & ~Origin.OBJECT]
    origins = data.origins
    for more in others:
        origins |= more if not data.columns else NOTHING
    return Value(origins, data.columns)


def _method(call: _Call, owner: Value, name: str) -> Value:
    """Evaluate a method of an object."""
    if name in owner.methods:
        return _own_method(call, owner, name)
    for rule in (_writing, _learning, _predicting, _tabular):
        outcome = rule(call, owner, name)
        if outcome is not None:
            return outcome
    if name in MUTATORS or call.named.get("inplace", PLAIN).constant is True:
        call.scope.mutate(call.root, call.all)
    if name == "fill" and call.root in call.scope:
        call.scope.change(call.root, of(call.all))
    if name in READERS:
        return _read(call, owner)
    if name == "join" and owner.constant is not ... and call.first.items is not None:
        return of(call.all)
    result = owner.all | call.all | _applied(call, owner)
    text = "/".join(value.text or "*" for value in call.values)
    path = name in ("join", "joinpath") and any(value.text for value in call.values)
    return Value(result, text=text if path else "")


def _writing(call: _Call, owner: Value, name: str) -> Value | None:
    if name == "to_csv":
        path = call.get(0, "path_or_buf", "path")
        if not call.values or path.constant is None:
            return owner
        target = path.file or file_name(path.text) or "*"
        call.sink(SinkKind.SUBMISSION, target, owner)
        return PLAIN
    if name in WRITERS and owner.file:
        call.sink(SinkKind.SUBMISSION, owner.file, of(call.all))
        return PLAIN
    return None


def _learning(call: _Call, owner: Value, name: str) -> Value | None:
    if name in OPTIMIZING:
        call.scope.fit_all((owner.all | call.all) & _DATA)
        call.train(owner.all | call.all)
        return of(owner.all | Origin.FITTED)
    trains = name in TRAINING or (name in TRAINING_FUNCTIONS and bool(call.values))
    if not trains:
        return None
    data = call.all | _applied(call)
    prepares = name in PREPARING
    if not prepares and not _encodes(call.receiver):
        call.train(data)
    taken = (data & ~MODEL) | Origin.FITTED
    column = call.receiver.attr if isinstance(call.receiver, ast.Attribute) else ""
    call.scope.mutate(root_name(_itself(call.receiver)), taken, column)
    if prepares:
        return replace(table(*call.positional[:1]), constant=...).plus(data & ~MODEL)
    fitted = owner.all | taken
    return of(fitted | Origin.PREDICTED) if name == "fit_predict" else of(fitted)


def _itself(node: ast.expr) -> ast.expr:
    """Return the object of methods that return it: `model` of `model.set_params(…)`."""
    match node:
        case ast.Call(ast.Attribute(owner, "set_params" | "compile")):
            return _itself(owner)
    return node


def _predicting(call: _Call, owner: Value, name: str) -> Value | None:
    if name in PREPARING:
        first = call.first
        return Value(first.origins | (owner.all & _DATA), first.columns)
    if not is_predicting(name):
        return None
    if name == "run" and not owner.origins & (Origin.OBJECT | Origin.FITTED):
        return None
    origins = (owner.all | call.all) & ~(Origin.FITTED | Origin.OBJECT | Origin.PART)
    if name == "run" and call.all & _DATA:  # a session of TensorFlow 1 trains so, too
        call.scope.mutate(call.root, call.all | Origin.FITTED)
        call.train(call.all)
        return of(origins | Origin.PREDICTED)
    if owner.all & Origin.FITTED:
        return of(origins | Origin.PREDICTED)
    return of(origins | Origin.UNKNOWN)


def _tabular(call: _Call, owner: Value, name: str) -> Value | None:
    """Evaluate a method of a table with separate columns; return None for any other."""
    if name == "assign":
        return replace(
            owner,
            columns={**owner.columns, **{key: value.all for key, value in call.named.items()}},
        )
    if name == "insert" and len(call.positional) == 3 and call.positional[1].text:
        column = call.positional[1].text
        call.scope.write_column(call.root, column, call.positional[2].all, whole=True)
        return PLAIN
    if name in JOINING and (owner.columns or call.first.columns):
        return table(owner, *(call.first.items or [call.first]), *call.values[1:])
    if name == "update" and owner.columns:
        other = call.all
        if other & (Origin.SAMPLE | Origin.OLD) and not other & (Origin.PREDICTED | Origin.UNKNOWN):
            for column in owner.columns:
                call.scope.write_column(call.root, column, other, whole=True)
            return PLAIN
    if name in SAME_TABLE:
        part = NOTHING
        whole = call.named.get("frac", PLAIN).constant in (1, 1.0)
        takes_some = call.values and not whole and name in PART_OF
        if takes_some and owner.all & Origin.TRAIN and not call.interpreter.elementwise:
            part = Origin.PART
        inputs = call.all if name in ("fillna", "replace", "query") else NOTHING
        same = replace(owner, constant=..., text="", items=None)
        return same.plus(inputs | part) if inputs | part else same
    return None


def _instance(call: _Call, called: Value) -> Value:
    """Return an instance of a class of the notebook, or the result of calling such an instance."""
    if not called.is_class:
        for name in ("__call__", "forward", "call"):
            if name in called.methods:
                value = _own_method(call, called, name)
                fitted = called.origins & Origin.FITTED
                return value.plus(Origin.PREDICTED) if fitted else value
        more = Origin.PREDICTED if called.origins & Origin.FITTED else Origin.UNKNOWN
        return of(called.all | call.all | more)
    instance = replace(called, is_class=False, origins=called.origins | call.all)
    if "__init__" not in called.methods:
        return instance
    values = [instance, *call.positional]
    return invoke(call.interpreter, called.methods["__init__"], values, call.named, gives_self=True)


def _own_method(call: _Call, owner: Value, name: str) -> Value:
    if name in TRAINING:
        if not _trains_itself(owner.methods[name]):
            call.train(call.all)
        owner = owner.plus((call.all & ~MODEL) | Origin.FITTED)
        call.scope.mutate(call.root, owner.origins)
    values = [owner, *call.positional]
    return invoke(
        call.interpreter,
        owner.methods[name],
        values,
        call.named,
        [call.receiver, *call.node.args],
    )


def _trains_itself(method: ast.AST) -> bool:
    """Return whether a method calls the training of `super()`, which notes it."""
    for node in ast.walk(method):
        match node:
            case ast.Call(ast.Attribute(ast.Call(ast.Name("super")), name)) if name in TRAINING:
                return True
    return False


_ENCODERS = frozenset({"LabelEncoder", "LabelBinarizer", "OrdinalEncoder"})
"""Classes that number labels; nothing is learned of them."""


def _encodes(owner: ast.expr) -> bool:
    """Return whether it is `LabelEncoder()`, made at its call of `fit`."""
    match owner:
        case ast.Call(ast.Name(name)):
            return name in _ENCODERS
    return False


def _applied(call: _Call, owner: Value = PLAIN) -> Origin:
    """Return the results of functions in arguments, which are applied to the other arguments."""
    origins = NOTHING
    for value in call.values:
        if value.function is not None:
            data = of(owner.all | call.all)
            count = len(value.function.args.args)
            call.interpreter.elementwise += 1
            try:
                origins |= invoke(call.interpreter, value.function, [data] * count, {}).all
            finally:
                call.interpreter.elementwise -= 1
    return origins


def invoke(
    interpreter: Recorder,
    function: Function,
    positional: Sequence[Value],
    keywords: dict[str, Value],
    expressions: Sequence[ast.expr] = (),
    *,
    gives_self: bool = False,
) -> Value:
    """Return the result of a function of the notebook: evaluate its body with the arguments.

    Args:
        interpreter: The evaluation.
        function: The function.
        positional: Arguments by place.
        keywords: Arguments by name.
        expressions: The expressions of the arguments by place, whose names it may change.
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
    for name, expression in zip(names, expressions, strict=False):
        _hand_back(interpreter, expression, before.get(name, PLAIN), after.get(name, PLAIN))
    if gives_self:
        return after.get(names[0], PLAIN) if names else PLAIN
    result = returned[0] if returned else PLAIN
    for value in returned[1:]:
        result = joined(result, value)
    return result


def _parameters(
    interpreter: Recorder,
    function: Function,
    positional: Sequence[Value],
    keywords: dict[str, Value],
) -> dict[str, Value]:
    parameters = function.args
    by_place = len(parameters.posonlyargs) + len(parameters.args)
    rest = of(together(*positional[by_place:], *keywords.values()))
    extra = (one for one in (parameters.vararg, parameters.kwarg) if one is not None)
    bound = {one.arg: rest for one in extra}
    for at, (name, default) in enumerate(defaults_of(function).items()):
        if at < len(positional):
            bound[name] = positional[at]
        elif name in keywords:
            bound[name] = keywords[name]
        else:
            bound[name] = UNKNOWN if default is None else interpreter.evaluate(default)
    return bound


def _hand_back(interpreter: Recorder, expression: ast.expr, before: Value, after: Value) -> None:
    """Apply the changes of a function's argument to the caller's name."""
    root = root_name(expression)
    if not root or root not in interpreter.scope:
        return
    if after.origins & Origin.FITTED and not before.origins & Origin.FITTED:
        interpreter.scope.mutate(root, after.origins)
    for name, origins in after.columns.items():
        if before.columns.get(name) != origins:
            interpreter.scope.write_column(root, name, origins, whole=False)
