"""Infer from a notebook's text which packages it needs. Nothing runs and nothing is looked up."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from packaging.markers import UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement
from packaging.requirements import Requirement as Pep508
from packaging.utils import canonicalize_name

from mle_modernizer_server.child_process import check_wanted
from mle_modernizer_server.code.contents import imports, shell_calls, words
from mle_modernizer_server.code.ipython import (
    cell_magic,
    escapes,
    is_python,
    python_only,
)
from mle_modernizer_server.code.python_path import folders_on_python_path
from mle_modernizer_server.domain.environment import (
    Refusal,
    RefusedRequirement,
    Requirement,
    Requirements,
    RequirementSource,
    hosted_module,
)
from mle_modernizer_server.domain.notebook import Cell, Notebook
from mle_modernizer_server.environments.beside import (
    conda_requirement,
    is_local,
    module_texts,
    named_packages,
)
from mle_modernizer_server.environments.distributions import (
    distribution_of,
    distributions,
    is_standard,
)

_MOST_OF_A_COMMAND = 10_000
"""Characters of a shell command that is looked into."""
_MOST_LOCAL = 50
"""Modules of the notebook's own that are read at a time."""
_LONGEST_REQUIREMENT = 2_000
"""Characters; versions of thousands of digits cannot be compared."""
_MOST_SHOWN = 200
"""Characters of a refused text that are stored."""
_IMPORT_ROW = re.compile(
    r"^\s*(?:import\s+(?P<names>[\w.,\s]+)|from\s+(?P<origin>\w[\w.]*)\s+import\b)"
)
_INSTALL = re.compile(
    r"(?:^|[;&|]\s*|\s)(?:sudo\s+)?(?:\S*python[\d.]*\s+-m\s+|\{sys\.executable\}\s+-m\s+)?"
    r"(?P<program>pip[\d.]*|conda|mamba)\s+(?P<rest>install\b[^;&|]*)"
)
# fmt: off
_OPTION_WITH_VALUE = frozenset(
    {
        "-r", "--requirement", "-c", "--constraint", "-e", "--editable", "-i", "--index-url",
        "--extra-index-url", "-f", "--find-links", "--trusted-host", "-t", "--target",
        "--prefix", "--root", "--no-binary", "--only-binary", "--timeout", "--proxy", "--cert",
        "-n", "--name", "-p", "--channel", "--progress-bar", "--log", "--platform",
        "--python-version",
    }
)
# fmt: on
# fmt: off
_HARMLESS = frozenset(
    {
        "-q", "-qq", "-qqq", "--quiet", "-v", "--verbose", "-y", "--yes", "--user", "-U",
        "--upgrade", "--no-input", "--no-cache-dir", "--force-reinstall", "--ignore-installed",
        "-I", "--no-deps", "--pre", "--break-system-packages", "--disable-pip-version-check",
        "--override-channels",
    }
)
# fmt: on


@dataclass
class _Seen:
    """Facts from a notebook's code.

    Attributes:
        imports: Whether every import of a name is within `try`, by name.
        calls: Names of attributes and functions that are used, and of modules within packages.
        installs: (cell id, text of the requirement).
        refused: Install lines' parts that are refused.
    """

    imports: dict[str, bool] = field(default_factory=dict)
    calls: set[str] = field(default_factory=set)
    installs: list[tuple[str, str]] = field(default_factory=list)
    refused: list[RefusedRequirement] = field(default_factory=list)

    def add_imports(self, source: str) -> bool:
        """Note the imports of a cell or module; False if it is no Python 3."""
        found = imports(source)
        for one in found or ():
            self.add_import(one.module, one.optional)
        return found is not None

    def add_import(self, name: str, optional: bool) -> None:
        top = name.partition(".")[0]
        if hosted_module(name) is not None:
            return
        if "." in name:
            self.calls.add(name)
        if top and top.isidentifier() and not is_standard(top):
            self.imports[top] = optional and self.imports.get(top, True)


def requirements_of(notebook: Notebook, folder: Path | None) -> Requirements:
    """Return the packages that a notebook needs.

    Args:
        notebook: Its cells.
        folder: Its folder; None if it has none, and so no files next to it.
    """
    seen = _read(notebook)
    refused = list(seen.refused)
    asked = _accepted(seen.installs, refused)
    files = named_packages(folder) if folder is not None else None
    of_files = _accepted(files.texts, refused) if files else {}
    if files:
        refused += [
            RefusedRequirement(text="", origin=name, refusal=Refusal.TOO_LARGE)
            for name in files.too_large
        ]
    places = _places(notebook)
    local = _local(places, folder, tuple(seen.imports))
    _read_modules(seen, folder, places, local)
    found = _Found(asked, of_files)
    for name, optional in seen.imports.items():
        if name not in local:
            found.add_import(name, optional)
    for name in sorted(seen.calls):
        for needed in distributions().uses.get(name, ()):
            found.add(needed, RequirementSource.USE, optional=True)
    for name in asked:
        found.add(name, RequirementSource.INSTALL_LINE, optional=False)
    named = {item.name for item in found.packages.values()}
    return Requirements(
        packages=tuple(found.packages.values()),
        constraints=tuple(
            f"{name}{specifier}"
            for name, specifier in sorted(of_files.items())
            if specifier and name not in named
        ),
        unknown=tuple(found.unknown),
        local=local,
        refused=tuple(refused),
    )


def local_modules(
    notebook: Notebook, folder: Path | None, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Return those top-level names that are modules of the notebook's own.

    Args:
        notebook: Its cells.
        folder: Its folder; None if it has none.
        names: Import names.
    """
    return _local(_places(notebook), folder, names)


def _read(notebook: Notebook) -> _Seen:
    seen = _Seen()
    for cell in notebook.run_cells():
        _read_cell(cell, seen)
    return seen


def _places(notebook: Notebook) -> tuple[str, ...]:
    """Return the folders that a notebook puts on Python's path."""
    folders = folders_on_python_path(cell.source for cell in notebook.run_cells())
    return tuple(dict.fromkeys(folders))


def _local(places: tuple[str, ...], folder: Path | None, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        name
        for name in names
        if folder is not None and is_local(name, folder, places, distribution_of(name) is not None)
    )


def _read_modules(
    seen: _Seen, folder: Path | None, places: tuple[str, ...], local: tuple[str, ...]
) -> None:
    """Note the imports of the notebook's own modules, and of the modules that they import.

    A name that neither a table nor a file knows is not noted: it may be a neighbour in a package.
    """
    read: set[str] = set()
    while folder is not None and (left := [name for name in local if name not in read]):
        read.update(left)
        of_modules = _Seen()
        for name in left[:_MOST_LOCAL]:
            for text in module_texts(name, folder, places):
                if not of_modules.add_imports(text):
                    _read_rows(text, of_modules)
        local = _local(places, folder, tuple(of_modules.imports))
        for name, optional in of_modules.imports.items():
            if name not in local and distribution_of(name) is not None:
                seen.add_import(name, optional)


class _Found:
    """Collector of packages, each once, with the versions that lines and files state."""

    def __init__(self, asked: dict[str, str], of_files: dict[str, str]) -> None:
        self.packages: dict[str, Requirement] = {}
        self.unknown: list[str] = []
        self._asked = asked
        self._of_files = of_files

    def add_import(self, name: str, optional: bool) -> None:
        distribution = distribution_of(name) or self._named(name)
        if distribution is not None:
            self.add(distribution, RequirementSource.IMPORT, optional=optional, import_name=name)
        elif not optional:
            self.unknown.append(name)

    def add(
        self, name: str, source: RequirementSource, *, optional: bool, import_name: str = ""
    ) -> None:
        before = self.packages.get(name)
        imports = (import_name,) if import_name else ()
        if before is not None:
            optional = optional and before.optional
            source, imports = before.source, (*before.imports, *imports)
        if name in self._asked:
            source = RequirementSource.INSTALL_LINE
        self.packages[name] = Requirement(
            name=name,
            specifier=self._asked.get(name) or self._of_files.get(name, ""),
            imports=tuple(dict.fromkeys(imports)),
            source=source,
            optional=optional,
        )

    def _named(self, name: str) -> str | None:
        """Return whether the notebook's author names a distribution of the import's name."""
        wanted = canonicalize_name(name)
        return wanted if wanted in self._asked or wanted in self._of_files else None


def _read_cell(cell: Cell, seen: _Seen) -> None:
    """Note the imports and installs of a cell.

    Raises:
        Abandoned: Nobody waits for the result any more.
    """
    check_wanted()
    if cell_magic(cell.source) in ("bash", "sh", "system", "sx"):
        for row in cell.source.replace("\\\n", " ").split("\n")[1:]:
            _read_command(row, cell, seen)
        return
    if not is_python(cell.source):
        return
    for escape in escapes(cell.source):
        text = escape.text.lstrip("!%").strip()
        if escape.text.startswith("!") or re.match(r"(pip|conda|mamba|system|sx)\b", text):
            _read_command(text, cell, seen)
        for magic, module in distributions().magics.items():
            if escape.text.startswith("%") and re.match(rf"{magic}(\s|$)", text):
                seen.imports[module] = False
    if seen.add_imports(cell.source):
        seen.calls |= words(cell.source)
        for call in shell_calls(cell.source):
            _read_command(call.command, cell, seen)
    else:
        _read_rows(python_only(cell.source), seen)


def _read_rows(source: str, seen: _Seen) -> None:
    """Return the imports of a cell that is no Python 3, row by row."""
    for row in source.split("\n"):
        match = _IMPORT_ROW.match(row)
        if match and match["origin"]:
            seen.add_import(match["origin"], False)
        elif match:
            for name in match["names"].split(","):
                seen.add_import(name.split()[0] if name.split() else "", False)


def _read_command(command: str, cell: Cell, seen: _Seen) -> None:
    if len(command) > _MOST_OF_A_COMMAND:
        return
    for match in _INSTALL.finditer(command):
        try:
            words = shlex.split(match["rest"], comments=True)[1:]
        except ValueError:
            words = match["rest"].split()[1:]
        conda = not match["program"].startswith("pip")
        for word, refusal in _packages(words):
            if refusal is None:
                text = conda_requirement(word) if conda else word
                seen.installs += [(cell.id, text)] if text else []
            else:
                seen.refused.append(
                    RefusedRequirement(text=word[:_MOST_SHOWN], origin=cell.id, refusal=refusal)
                )


def _packages(words: list[str]) -> Iterator[tuple[str, Refusal | None]]:
    """Yield the packages of an install command; an option that names a source is refused."""
    rest = iter(words)
    for word in rest:
        if word in (">", ">>", "2>", "2>&1") or word.startswith(("2>", "1>", ">/")):
            return
        if not word.startswith("-"):
            yield word, None
        elif word == "-c" or word in _HARMLESS or word.startswith("--progress-bar"):
            if word == "-c":
                next(rest, None)  # conda's channel, pip's constraints
        elif word in _OPTION_WITH_VALUE:
            yield f"{word} {next(rest, '')}".strip(), Refusal.OPTION
        else:
            yield word, Refusal.OPTION


def _accepted(texts: list[tuple[str, str]], refused: list[RefusedRequirement]) -> dict[str, str]:
    """Return version specifiers by distribution; add all but plain requirements to `refused`."""
    found: dict[str, str] = {}
    for origin, text in texts:
        answer = plain_requirement(text)
        if isinstance(answer, Refusal):
            refused.append(
                RefusedRequirement(text=text[:_MOST_SHOWN], origin=origin, refusal=answer)
            )
        elif answer is not None and answer[0] not in ("pip", "python", "ipykernel"):
            found[answer[0]] = answer[1] or found.get(answer[0], "")
    return found


def plain_requirement(text: str) -> tuple[str, str] | Refusal | None:
    """Return the name and version specifier of a requirement.

    Returns None if its marker excludes this machine, and a `Refusal` if it is anything else than a
    name, extras, versions and a marker.
    """
    text = text.strip()
    if len(text) > _LONGEST_REQUIREMENT:
        return Refusal.UNREADABLE
    if text.startswith("-"):
        return Refusal.OPTION
    if any(sign in text for sign in "{}$\0\n\r"):
        return Refusal.UNREADABLE
    if "://" in text or re.match(r"(git|hg|svn|bzr)\+|file:", text):
        return Refusal.ADDRESS
    if re.match(r"[.~/\\]|[A-Za-z]:[\\/]", text) or "/" in text or "\\" in text:
        return Refusal.PATH
    text = re.split(r"\s--", text, maxsplit=1)[0]  # pip's options per requirement, such as --hash
    try:
        requirement = Pep508(text)
    except InvalidRequirement:
        return Refusal.UNREADABLE
    if requirement.url is not None:
        return Refusal.ADDRESS
    if requirement.name.lower().endswith((".whl", ".zip", ".gz", ".tar", ".egg")):
        return Refusal.PATH
    try:
        if requirement.marker is not None and not requirement.marker.evaluate():
            return None
    except (UndefinedComparison, UndefinedEnvironmentName, ValueError):
        return Refusal.MARKER
    if any(item.operator == "===" for item in requirement.specifier):
        return Refusal.UNREADABLE
    return canonicalize_name(requirement.name), str(requirement.specifier)
