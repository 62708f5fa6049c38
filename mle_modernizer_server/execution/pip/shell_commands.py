"""Takes a shell line apart, as far as finding install commands in it needs."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from enum import Enum

_PYTHON = re.compile(r"(?:.*/)?python[\d.]*$|^\{\s*sys\.executable\s*\}$|^\$\{?sys\.executable\}?$")
_PIP = re.compile(r"(?:.*/)?pip[\d.]*$")
_OTHER_INSTALLERS = {
    "conda": "conda",
    "mamba": "conda",
    "micromamba": "conda",
    "apt": "system",
    "apt-get": "system",
    "dpkg": "system",
    "yum": "system",
}
_INSTALLING = frozenset(
    {"install", "update", "upgrade", "remove", "uninstall", "create", "env", "-i"}
)
MOST_OF_A_LINE = 10_000
"""Characters."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


class CommandKind(Enum):
    """Kind of a command of a shell line."""

    PIP_INSTALL = "pip install"
    PIP_UNINSTALL = "pip uninstall"
    CONDA = "conda"
    SYSTEM = "system"
    OTHER = "other"


@dataclass(frozen=True)
class ShellCommand:
    """One command of a shell line.

    Attributes:
        kind: Its kind.
        text: Its text in the line.
        arguments: For `pip install`: the arguments after `install`, without redirections.
        joint: The operator behind it (`&&`, `||`, `;`, `|`, `&`), "" at the end.
    """

    kind: CommandKind
    text: str
    arguments: tuple[str, ...] = ()
    joint: str = ""


def shell_commands(line: str) -> list[ShellCommand]:
    """Return the commands of a shell line, in order; a very long one is not split."""
    if len(line) > MOST_OF_A_LINE:
        return [ShellCommand(CommandKind.OTHER, line)]
    return [_command(text, joint) for text, joint in _split(line)]


def _split(line: str) -> list[tuple[str, str]]:
    parts: list[tuple[str, str]] = []
    start = position = 0
    quote = ""
    while position < len(line):
        character = line[position]
        if quote:
            if character == "\\" and quote == '"':
                position += 1
            elif character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character == "\\":
            position += 1
        elif character == "#" and (position == 0 or line[position - 1].isspace()):
            line = line[:position]
            break
        elif operator := _operator(line, position):
            parts.append((line[start:position], operator))
            position += len(operator)
            start = position
            continue
        position += 1
    return [*parts, (line[start:], "")]


def _operator(line: str, position: int) -> str:
    two = line[position : position + 2]
    if two in ("&&", "||"):
        return two
    character = line[position]
    redirects = line[position - 1 : position] in ("<", ">") or two == "&>"
    return character if character in ";|&" and not redirects else ""


def _command(text: str, joint: str) -> ShellCommand:
    try:
        words = _words(text)
    except ValueError:  # an open quote
        return ShellCommand(CommandKind.OTHER, text, joint=joint)
    while words and (words[0] in ("sudo", "time", "yes") or _ASSIGNMENT.match(words[0])):
        del words[0]
    if len(words) > 3 and _PYTHON.match(words[0]) and words[1:3] == ["-m", "pip"]:
        words = words[2:]
    if words[:2] == ["uv", "pip"]:
        words = words[1:]
    if not words:
        return ShellCommand(CommandKind.OTHER, text, joint=joint)
    if _PIP.match(words[0]):
        return _pip(words, text, joint)
    other = _OTHER_INSTALLERS.get(words[0].rpartition("/")[2])
    if other is not None and _INSTALLING.intersection(words[1:]):
        return ShellCommand(CommandKind(other), text, joint=joint)
    return ShellCommand(CommandKind.OTHER, text, joint=joint)


def _pip(words: list[str], text: str, joint: str) -> ShellCommand:
    before = [word for word in words[1:] if word.startswith("-")]
    named = [position for position, word in enumerate(words) if position and word not in before]
    name = words[named[0]] if named else ""
    if name == "install":
        arguments = (*words[1 : named[0]], *words[named[0] + 1 :])
        return ShellCommand(CommandKind.PIP_INSTALL, text, arguments, joint)
    kind = CommandKind.PIP_UNINSTALL if name == "uninstall" else CommandKind.OTHER
    return ShellCommand(kind, text, joint=joint)


def _words(text: str) -> list[str]:
    """Return the words of a command as the shell splits them, without redirections."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="<>&")
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    target = False
    for token in lexer:
        if set(token) <= set("<>&"):
            if words and words[-1].isdigit():
                del words[-1]
            target = True
        elif target:
            target = False
        else:
            words.append(token)
    return words
