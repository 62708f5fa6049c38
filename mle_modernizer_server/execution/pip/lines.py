"""Finds the lines of a notebook that install packages, and takes them out of the executed copy.

The kernel has no network, so these packages are installed before it starts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mle_modernizer_server.code.contents import shell_calls
from mle_modernizer_server.code.ipython import (
    cell_magic,
    escapes,
    is_python,
)
from mle_modernizer_server.domain.notebook import Cell, Notebook
from mle_modernizer_server.execution.pip.shell_commands import (
    CommandKind,
    ShellCommand,
    shell_commands,
)
from mle_modernizer_server.execution.sandboxes.pip_options import (
    BadInstallLine,
    InstallRequest,
    parse_install,
)

_SHELL_MAGICS = frozenset({"bash", "sh", "system", "sx"})
_SHELL_LINE = re.compile(r"^(?:!!?|%(?:system|sx)\s)\s*(?P<command>.*)$", re.DOTALL)
_PIP_LINE = re.compile(r"^%(?P<command>(?:pip|uv|conda|mamba|micromamba)\d*\s.*)$", re.DOTALL)
_NOT_CARRIED_OUT = {
    CommandKind.PIP_UNINSTALL: "Nothing is uninstalled: the environment is taken as it is.",
    CommandKind.CONDA: "Not carried out: conda packages are not installed for a run.",
    CommandKind.SYSTEM: "Not carried out: system packages are not installed for a run.",
}


@dataclass(frozen=True)
class InstallLine:
    """A command of a notebook that installs something.

    Attributes:
        cell_id: Its cell.
        command: The command as written.
        arguments: The arguments of `pip install`; empty if it is not carried out.
        refusal: The reason for not carrying it out, as a sentence; "" if it is.
        first: Its first line in the cell, from 0.
        last: Its last line.
        replacement: Replacement of these lines in the executed copy; the same for all
            commands of one line.
    """

    cell_id: str
    command: str
    arguments: tuple[str, ...]
    refusal: str
    first: int
    last: int
    replacement: str

    @property
    def request(self) -> InstallRequest:
        """Return the arguments by purpose.

        Raises:
            BadInstallLine: They cannot be used; `refusal` is set, too.
        """
        return parse_install(self.arguments)


def find_install_lines(notebook: Notebook) -> tuple[InstallLine, ...]:
    """Return all install commands of a notebook's code cells that are run, in order."""
    return tuple(line for cell in notebook.run_cells() for line in _in_cell(cell))


def without_installs(source: str, lines: tuple[InstallLine, ...]) -> str:
    """Return the cell without the commands of these lines; no other line moves."""
    rows = source.split("\n")
    for line in lines:
        blank = [""] * (line.last - line.first)
        rows[line.first : line.last + 1] = [line.replacement, *blank]
    return "\n".join(rows)


def _in_cell(cell: Cell) -> list[InstallLine]:
    if is_python(cell.source):
        found = [*_escaped(cell), *_called(cell)]
        return sorted(found, key=lambda line: line.first)
    if cell_magic(cell.source) in _SHELL_MAGICS:
        return _in_shell_cell(cell)
    return []


def _escaped(cell: Cell) -> list[InstallLine]:
    found: list[InstallLine] = []
    for escape in escapes(cell.source):
        match = _SHELL_LINE.match(escape.text) or _PIP_LINE.match(escape.text)
        if match is None:
            continue
        commands = shell_commands(match["command"])
        rest = _rest(commands)
        if rest:
            start = f"{escape.assigned} = " if escape.assigned else ""
            replacement = f"{escape.indent}{start}!{rest}"
        elif escape.assigned:
            replacement = f"{escape.indent}{escape.assigned} = []"
        else:
            replacement = f"{escape.indent}pass  # installed before the run"
        found += _lines(cell, commands, escape.first, escape.last, replacement)
    return found


def _called(cell: Cell) -> list[InstallLine]:
    """Parse `get_ipython().system("pip install …")` and `os.system("pip install …")`."""
    found: list[InstallLine] = []
    rows = cell.source.split("\n")
    for call in shell_calls(cell.source):
        if call.line is None or not call.alone:
            continue
        commands = shell_commands(call.command)
        if _rest(commands):
            continue
        row = rows[call.line - 1].encode()
        before, after = row[: call.start], row[call.end :]
        replacement = (before + b"0" + after).decode("utf-8", "replace")
        found += _lines(cell, commands, call.line - 1, call.line - 1, replacement)
    return found


def _in_shell_cell(cell: Cell) -> list[InstallLine]:
    rows = cell.source.split("\n")
    found: list[InstallLine] = []
    number = 0
    while number < len(rows):
        first = number
        text = rows[number]
        while text.endswith("\\") and number + 1 < len(rows):
            number += 1
            text = text[:-1] + " " + rows[number].strip()
        number += 1
        if text.lstrip().startswith("%%"):
            continue
        commands = shell_commands(text)
        found += _lines(cell, commands, first, number - 1, _rest(commands) or ":")
    return found


def _rest(commands: list[ShellCommand]) -> str:
    """Return the shell line with `true` for each install command; "" if it has no other command."""
    if all(command.kind is not CommandKind.OTHER for command in commands if command.text.strip()):
        return ""
    return "".join(
        (command.text if command.kind is CommandKind.OTHER else " true ") + command.joint
        for command in commands
    ).strip()


def _lines(
    cell: Cell, commands: list[ShellCommand], first: int, last: int, replacement: str
) -> list[InstallLine]:
    return [
        InstallLine(
            cell_id=cell.id,
            command=" ".join(command.text.split()),
            arguments=command.arguments,
            refusal=_refusal(command),
            first=first,
            last=last,
            replacement=replacement,
        )
        for command in commands
        if command.kind is not CommandKind.OTHER
    ]


def _refusal(command: ShellCommand) -> str:
    if command.kind is not CommandKind.PIP_INSTALL:
        return _NOT_CARRIED_OUT[command.kind]
    if any(mark in argument for argument in command.arguments for mark in "{}$"):
        return "Not carried out: what to install is only known when the notebook runs."
    try:
        parse_install(command.arguments)
    except BadInstallLine as error:
        return str(error)
    return ""
