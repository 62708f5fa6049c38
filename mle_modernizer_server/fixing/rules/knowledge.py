"""The knowledge base: loaded once from `data/`, one file a library."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

import yaml

from mle_modernizer_server.domain.execution import CellError, Environment
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.entry import Entry
from mle_modernizer_server.fixing.rules.twins import twinned

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


@cache
def all_rules() -> tuple[Entry, ...]:
    """All entries, library by library.

    Raises:
        ValueError: The data contradict the schema, or two entries share an id.
    """
    entries: list[Entry] = []
    folder = resources.files(__package__) / "data"
    for file in sorted(folder.iterdir(), key=lambda item: item.name):
        if not file.name.endswith(".yaml"):
            continue
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        content = yaml.load(file.read_text(encoding="utf-8"), Loader=loader)
        for item in content["entries"]:
            read = Entry.model_validate({"library": content["library"], **item})
            entries.append(twinned(read))
    ids = [entry.id for entry in entries]
    doubled = {one for one in ids if ids.count(one) > 1}
    if doubled:
        raise ValueError(f"entries with the same id: {', '.join(sorted(doubled))}")
    return tuple(entries)


def installed_version(entry: Entry, environment: Environment) -> str | None:
    """Version of the entry's library in the kernel; None where it is not known."""
    if entry.library == "python":
        return environment.python
    return environment.packages.get(entry.library)


def explain(error: CellError, environment: Environment) -> tuple[str, str] | None:
    """What is known of an error: a sentence or two on the change behind it, and a link.

    None where no entry covers it, or where the installed version is older than the change.
    """
    for entry in all_rules():
        if entry.matches(error) and entry.concerns(installed_version(entry, environment)):
            return f"{entry.what} {entry.replacement}", entry.link
    return None


def relevant(notebook: Notebook, environment: Environment) -> tuple[Entry, ...]:
    """Entries on what the notebook uses, for versions that are installed; most weighty first."""
    used = {name for cell in notebook.code_cells() for name in _IDENTIFIER.findall(cell.source)}
    found = [
        entry
        for entry in all_rules()
        if entry.identifiers & used and entry.concerns(installed_version(entry, environment))
    ]
    return tuple(sorted(found, key=lambda entry: -entry.weight))
