"""Runs in a sandbox: which names the installed packages have. No code of a notebook runs.

It uses only the standard library and the syntax of Python 3.6, and none of our modules. Its
argument is the path of a request: a JSON list of questions, each (kind, address, detail). It
answers each with a line of JSON as soon as it is known: null if the name is there, or cannot be
told; else the part of the address that is absent, with the type and message of the exception that
a use raises. Packages are imported to ask them, because many fetch their names only on access.
"""

import importlib
import inspect
import json
import os
import re
import sys
import types
import warnings
from typing import Any, Tuple, Union  # noqa: UP035  # as Python 3.6 knows them

PROCESSOR_SECONDS = 120
ADDRESS_SPACE = 16 << 30
"""Bytes; libraries reserve far more than they use."""
LONGEST_MESSAGE = 400
PASS_ON = (
    "tensorflow/python/util/",
    "keras/src/utils/traceback_utils.py",
    "sklearn/utils/_param_validation.py",
    "torch/utils/_contextlib.py",
)
"""Files of decorators that pass all arguments on, as they are."""
ENVIRONMENT = {
    "MPLBACKEND": "Agg",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""Variables that make the import of packages quiet and light."""

Answer = Union[Tuple[str, str, str], None]  # noqa: UP006, UP007  # likewise


class Absent(Exception):
    """A name is absent.

    Attributes:
        failing: First part of the address that is absent.
        ename: Type of the exception that a use raises.
        evalue: Its message.
    """

    def __init__(self, failing: str, ename: str, evalue: str) -> None:
        super().__init__(failing)
        self.failing, self.ename, self.evalue = failing, ename, evalue


class Untold(Exception):
    """Whether a name is there cannot be told."""


def main(request_path: str) -> None:
    """Answer the questions of a request."""
    with open(request_path, encoding="utf-8") as stream:  # noqa: PTH123  # as old as the rest
        questions = json.load(stream)
    wire = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for stream_number in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream_number)
    bound()
    os.environ.update(ENVIRONMENT)
    warnings.simplefilter("ignore")
    for kind, address, detail in questions:
        wire.write(json.dumps(answer_of(kind, address, detail)) + "\n")
        wire.flush()


def bound() -> None:
    """Limit processor time and memory of this process, if the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = ((resource.RLIMIT_CPU, PROCESSOR_SECONDS), (resource.RLIMIT_AS, ADDRESS_SPACE))
    for which, most in limits:
        hard = resource.getrlimit(which)[1]
        wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (wanted, hard))


def answer_of(kind: str, address: str, detail: str) -> Answer:
    """Return the answer to a question: what is absent; None if nothing is known to be."""
    ask = {
        "module": _ask_module,
        "member": _ask_member,
        "attribute": _ask_attribute,
        "method": _ask_method,
        "argument": _ask_argument,
        "starred": _ask_starred,
    }[kind]
    try:
        ask(address, detail)
    except Absent as absent:
        return absent.failing, absent.ename, absent.evalue[:LONGEST_MESSAGE]
    except Untold:
        return None
    except MemoryError:
        return None
    except (Exception, SystemExit):  # noqa: BLE001  # a package may raise anything
        return None
    return None


def _ask_module(address: str, _: str) -> None:
    _module(address)


def _ask_member(address: str, _: str) -> None:
    module, _, name = address.rpartition(".")
    owner = _module(module)
    if _has(owner, name):
        return
    try:
        importlib.import_module(address)
    except ModuleNotFoundError as error:
        if not _is_about(error, address):
            raise Untold from error
        place = getattr(owner, "__file__", None) or "unknown location"
        text = f"cannot import name {name!r} from {module!r} ({place})"
        raise Absent(address, "ImportError", text) from error


def _ask_attribute(address: str, _: str) -> None:
    _value(address)


def _ask_method(address: str, _: str) -> None:
    owner, _, name = address.rpartition(".")
    kind = _value_if_any(owner)
    if not isinstance(kind, type):
        raise Untold
    _method(kind, name, address)


def _ask_argument(address: str, name: str) -> None:
    owner, _, last = address.rpartition(".")
    function, holder = _value_if_any(address), _value_if_any(owner)
    if isinstance(holder, type) and not isinstance(
        inspect.getattr_static(holder, last), (types.FunctionType, classmethod, staticmethod)
    ):
        raise Untold  # an accessor gives objects something else
    if isinstance(function, type):
        if type(function).__call__ is not type.__call__:
            raise Untold
        for label in ("__new__", "__init__"):
            taker = getattr(function, label)
            if taker is not getattr(object, label) and _rejects(taker, name):
                called = f"{function.__name__}.{label}"
                raise Absent(address, "TypeError", _unexpected(called, name))
        return
    if not _takes(function, name):
        called = getattr(function, "__name__", address.rpartition(".")[2])
        raise Absent(address, "TypeError", _unexpected(called, name))


def _ask_starred(address: str, name: str) -> None:
    module = _module(address)
    listed = getattr(module, "__all__", None)
    names = vars(module) if listed is None else set(listed)
    if name not in names or (listed is None and name.startswith("_")):
        raise Absent(f"{address}.{name}", "NameError", f"name {name!r} is not defined")


def _rejects(function: Any, name: str) -> bool:
    try:
        return not _takes(function, name)
    except Untold:
        return False


def _unexpected(called: str, name: str) -> str:
    return f"{called}() got an unexpected keyword argument {name!r}"


def _module(address: str) -> Any:
    """Import a module.

    Raises:
        Absent: There is none of that name, or its import fails.
    """
    try:
        return importlib.import_module(address)
    except ModuleNotFoundError as error:
        failing = error.name or address
        if _is_about(error, address):
            # `a.b.c` fails with the name of the first part that is absent.
            raise Absent(failing, "ModuleNotFoundError", str(error)) from error
        raise Absent(address, "ModuleNotFoundError", str(error)) from error
    except ImportError as error:
        raise Absent(address, "ImportError", str(error)) from error


def _is_about(error: ModuleNotFoundError, address: str) -> bool:
    """Return whether a module was not found itself, rather than one that it imports."""
    name = error.name or ""
    return address == name or address.startswith(name + ".")


def _has(owner: Any, name: str) -> bool:
    try:
        getattr(owner, name)
    except AttributeError:
        return False
    return True


def _value(address: str) -> Any:
    """Return what stands at an address.

    Raises:
        Absent: Nothing does.
        Untold: A part of it is an object, which may get attributes later.
    """
    parts = address.split(".")
    value = _module(parts[0])
    for end in range(2, len(parts) + 1):
        here, name = ".".join(parts[:end]), parts[end - 1]
        try:
            value = getattr(value, name)
            continue
        except AttributeError as error:
            failure = error
        if isinstance(value, types.ModuleType):
            try:
                value = importlib.import_module(here)
                continue
            except ModuleNotFoundError as error:
                if not _is_about(error, here):
                    raise Untold from error
        elif not isinstance(value, type):
            raise Untold
        raise Absent(here, "AttributeError", str(failure))
    return value


def _value_if_any(address: str) -> Any:
    """Return what stands at an address.

    Raises:
        Untold: Nothing does, which another question is for.
    """
    try:
        return _value(address)
    except Absent as absent:
        raise Untold from absent


def _method(kind: type, name: str, address: str) -> None:
    """Check that objects of a class have a method.

    Raises:
        Absent: They have none.
        Untold: The class makes its attributes itself, or its code names the method.
    """
    if _has(kind, name):
        return
    for one in kind.__mro__[:-1]:
        own = vars(one)
        if "__getattr__" in own or "__getattribute__" in own:
            raise Untold
        module = sys.modules.get(one.__module__)
        try:
            source = inspect.getsource(module) if module is not None else ""
        except (OSError, TypeError):
            source = ""
        if re.search(r"\bself\.{0}\b|['\"]{0}['\"]".format(re.escape(name)), source):
            raise Untold
    text = f"{kind.__name__!r} object has no attribute {name!r}"
    raise Absent(address, "AttributeError", text)


def _takes(function: Any, name: str) -> bool:
    """Return whether a function takes a keyword argument.

    Raises:
        Untold: A decorator, `**`, or code in another language hides what it takes.
    """
    code = getattr(inspect.unwrap(function, stop=_hides), "__code__", None)
    if code is None or code.co_flags & inspect.CO_VARKEYWORDS:
        raise Untold
    by_place = getattr(code, "co_posonlyargcount", 0)
    return name in code.co_varnames[by_place : code.co_argcount + code.co_kwonlyargcount]


def _hides(function: Any) -> bool:
    """Return whether a decorated function may take other arguments than the one it wraps."""
    code = getattr(function, "__code__", None)
    if code is None:
        return True
    place = code.co_filename.replace(os.sep, "/")
    return not any(one in place for one in PASS_ON)
