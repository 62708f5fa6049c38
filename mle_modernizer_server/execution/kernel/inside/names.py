"""Find the notebook's names whose values can be read only once. Runs within the kernel.

Sent as source: syntax of Python 3.6, none of our modules.
"""

from typing import Any

MOST_NAMES = 500


def kinds_of_names(names: "dict[str, Any]") -> "dict[str, list[str]]":
    """Return the notebook's names by kind of value.

    Args:
        names: The notebook's namespace.

    Returns:
        `once`: iterators, generators and open files, which can be read only once; `own`:
        functions, classes and their objects that the notebook defines itself.
    """
    once, own = [], []
    for name, value in list(names.items()):
        kind = type(value)
        if name.startswith("_") or kind.__name__ == "module":
            continue
        if hasattr(kind, "__next__"):
            once.append(name)
        is_definition = kind is type or kind.__name__ == "function"
        home = getattr(value, "__module__", None) if is_definition else kind.__module__
        if home == "__main__":
            own.append(name)
    return {"once": once[:MOST_NAMES], "own": own[:MOST_NAMES]}
