"""Report the type of each of the notebook's global names. Runs within the kernel.

Sent as source: syntax of Python 3.6, none of our modules. Only the type of an object is read,
never the object, and of the type only the attributes of `type` itself: no code of the notebook is
called.
"""

from typing import Any

MOST_NAMES = 500
LONGEST_TYPE = 200

_module_of = type.__dict__["__module__"].__get__
_name_of = type.__dict__["__qualname__"].__get__


def types_of_names(names: "dict[str, Any]") -> "dict[str, str]":
    """Return the types' full names (`pandas.core.frame.DataFrame`) by name in the notebook.

    Args:
        names: The notebook's namespace; names with a leading underscore are skipped.
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
