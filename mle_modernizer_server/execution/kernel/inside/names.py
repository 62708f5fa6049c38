"""Runs within the kernel: which of the notebook's names hold what cannot be looked at twice.

Its source is sent as it is: syntax of Python 3.6, nothing of ours.
"""

from typing import Any

MOST_NAMES = 500


def kinds_of_names(names: "dict[str, Any]") -> "dict[str, list[str]]":
    """The notebook's names by what must be known of their values.

    Args:
        names: The notebook's namespace.

    Returns:
        `once`: iterators, generators and open files, of which what was read is gone; `own`:
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
