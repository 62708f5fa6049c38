"""Runs within the kernel: of which type each of the notebook's global names is.

Its source is sent as it is: syntax of Python 3.6, nothing of ours. Only the type of an object is
looked at, never the object, and of the type only what `type` itself keeps: nothing that a notebook
defines is called.
"""

from typing import Any

MOST_NAMES = 500
LONGEST_TYPE = 200

_module_of = type.__dict__["__module__"].__get__
_name_of = type.__dict__["__qualname__"].__get__


def types_of_names(names: "dict[str, Any]") -> "dict[str, str]":
    """Full names of the types (`pandas.core.frame.DataFrame`) by name of the notebook.

    Args:
        names: The notebook's namespace; what begins with an underscore is left out.
    """
    found: dict[str, str] = {}
    for name, value in list(names.items()):
        if len(found) == MOST_NAMES:
            break
        if type(name) is not str or name.startswith("_") or len(name) > LONGEST_TYPE:
            continue
        kind = type(value)
        module, own = _module_of(kind), _name_of(kind)
        if type(module) is str and type(own) is str:
            found[name] = (module + "." + own)[:LONGEST_TYPE]
    return found
