"""The parser of the commands' arguments, made from a model of each command's options."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, ClassVar, NoReturn, TypeVar

from pydantic.fields import FieldInfo

from mle_modernizer_server import __version__
from mle_modernizer_server.cli.flags import add_flag
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.settings import Flag, OptionGroup, setting_options

PROGRAM = "jupyter modernize"
Groups = Mapping[str, Sequence[str | OptionGroup]]
"""Names below each heading of a help."""


class _Formatter(argparse.HelpFormatter):
    """Wraps plain paragraphs of descriptions and epilogs, and prints lists as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.strip("\n").split("\n\n")
        return "\n\n".join(
            paragraph if "\n" in paragraph else textwrap.fill(paragraph, width)
            for paragraph in paragraphs
        )


class Arguments(argparse.ArgumentParser):
    """`argparse`'s parser; an error is printed alone, with the options that may be meant."""

    def __init__(self, **given: Any) -> None:
        """
        Args:
            given: As for `argparse.ArgumentParser`.
        """
        super().__init__(formatter_class=_Formatter, allow_abbrev=False, **given)

    def error(self, message: str) -> NoReturn:
        """Print the error in the arguments, in two lines.

        Raises:
            SystemExit: Always, with 2.
        """
        unknown = message.split() if message.startswith("unrecognized arguments:") else []
        options = [name for name in self._option_string_actions if name.startswith("--")]
        meant = [
            name
            for word in unknown
            if word.startswith("--")
            for name in get_close_matches(word.partition("=")[0], options, n=1)
        ]
        hint = f" Did you mean {' and '.join(meant)}?" if meant else ""
        full_stop = "" if message.endswith((".", "?", "!")) else "."
        self.exit(
            2, f"{self.prog}: {message}{full_stop}{hint}\nTry `{self.prog} --help` for the usage.\n"
        )


class Options(Value):
    """Options of a command: a flag, or an argument, for each field that has one.

    Attributes:
        USAGE: Its usage, if it cannot be inferred.
        DESCRIPTION: What the command does.
        EPILOG: The end of its help, with the exit codes.
        GROUPS: By heading, the names of its fields and of a session's settings below it, or all
            settings of a kind; those in no group come first.
        HELP: The meaning of settings for this command, if it differs from the usual one.
        EXCLUSIVE: Fields of which one may be passed.
        settings: The session's settings that were passed, by name.
    """

    USAGE: ClassVar[str | None] = None
    DESCRIPTION: ClassVar[str] = ""
    EPILOG: ClassVar[str] = ""
    GROUPS: ClassVar[Groups] = {}
    HELP: ClassVar[Mapping[str, str]] = {}
    EXCLUSIVE: ClassVar[Sequence[str]] = ()

    settings: Mapping[str, object] = {}

    def check(self, parser: argparse.ArgumentParser) -> None:
        """Check options together.

        Raises:
            SystemExit: With 2 for wrong usage.
        """


_Options = TypeVar("_Options", bound=Options)


def parse_options(kind: type[_Options], name: str, argv: Sequence[str]) -> _Options:
    """Parse the arguments of a command.

    Args:
        kind: The model of its options.
        name: The command; empty: the program itself, which has a version.
        argv: Its arguments.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
    """
    parser = Arguments(
        prog=f"{PROGRAM} {name}".rstrip(),
        usage=kind.USAGE,
        description=kind.DESCRIPTION,
        epilog=kind.EPILOG,
    )
    if not name:
        parser.add_argument("--version", action="version", version=f"MLE Modernizer {__version__}")
    add_options(parser, kind)
    return options_of(parser, kind, parser.parse_args(argv))


def parse_one_of(
    kinds: Mapping[str, type[Options]],
    name: str,
    argv: Sequence[str],
    description: str,
    epilog: str,
) -> Options:
    """Parse the arguments of a command that has commands of its own.

    Args:
        kinds: The model of the options of each.
        name: The command.
        argv: Its arguments, the first of which is the command's own command.
        description: What it does.
        epilog: The end of its help.

    Raises:
        SystemExit: With 2 for wrong usage, with 0 after `--help`.
    """
    parser = Arguments(prog=f"{PROGRAM} {name}", description=description, epilog=epilog)
    commands = parser.add_subparsers(dest="command", required=True, metavar="|".join(kinds))
    parsers = {
        command: commands.add_parser(command, help=kind.DESCRIPTION, epilog=kind.EPILOG or None)
        for command, kind in kinds.items()
    }
    for command, kind in kinds.items():
        add_options(parsers[command], kind)
    given = parser.parse_args(argv)
    command = vars(given).pop("command")
    return options_of(parsers[command], kinds[command], given)


def add_options(parser: argparse.ArgumentParser, kind: type[Options]) -> None:
    """Add the flags and arguments of a command."""
    flags = dict(_flags(kind))
    grouped = [name for names in kind.GROUPS.values() for name in _expanded(names)]
    first = [name for name in kind.model_fields if name in flags and name not in grouped]
    groups = {**kind.GROUPS, "": (*first, *kind.GROUPS.get("", ()))}
    excluding: argparse._ActionsContainer | None = None
    for heading in ("", *(heading for heading in kind.GROUPS if heading)):
        group = parser.add_argument_group(heading) if heading else parser
        for name in _expanded(groups[heading]):
            place: argparse._ActionsContainer = group
            if name in kind.EXCLUSIVE:
                excluding = excluding or group.add_mutually_exclusive_group()
                place = excluding
            add_flag(place, name, *flags[name], kind.HELP.get(name, ""))


def options_of(
    parser: argparse.ArgumentParser, kind: type[_Options], given: argparse.Namespace
) -> _Options:
    """Return the options that were passed.

    Raises:
        SystemExit: With 2 for wrong usage.
    """
    values: dict[str, object] = {}
    settings: dict[str, object] = {}
    for name, value in vars(given).items():
        if value is None:
            continue
        if name in kind.model_fields:
            values[name] = value
        else:
            settings[name] = tuple(dict.fromkeys(value)) if isinstance(value, list) else value
    options = kind.model_validate({**values, "settings": settings})
    options.check(parser)
    return options


def _flags(kind: type[Options]) -> Iterator[tuple[str, tuple[FieldInfo, Flag]]]:
    """Yield the settings' flags, and those of a command's own fields, by name."""
    yield from setting_options().items()
    for name, field in kind.model_fields.items():
        for each in field.metadata:
            if isinstance(each, Flag):
                yield name, (field, each)


def _expanded(names: Sequence[str | OptionGroup]) -> list[str]:
    """Return names, with those of all settings of a kind in its place."""
    found = []
    for name in names:
        if isinstance(name, OptionGroup):
            found += [key for key, (_, option) in setting_options().items() if option.group is name]
        else:
            found.append(name)
    return found
