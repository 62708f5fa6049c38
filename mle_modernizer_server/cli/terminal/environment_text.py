"""Texts for environments: those found, the choice and its reason, missing packages."""

from __future__ import annotations

from collections.abc import Sequence

from mle_modernizer_server.cli.terminal.safe_text import one_line
from mle_modernizer_server.domain.environment import (
    ChoiceReason,
    EnvironmentChoice,
    EnvironmentOrigin,
    EnvironmentRemark,
    EnvironmentTime,
    FoundEnvironment,
    MadeEnvironment,
    RefusedRequirement,
    RemarkCode,
)
from mle_modernizer_server.words import label, text
from mle_modernizer_server.workflow.environments import OWN, trouble_message


def choice_line(choice: EnvironmentChoice) -> str:
    """Return the environment and the reason for it, on one line."""
    imports = f"all {choice.imports} imports are there"
    if choice.imports == 1:
        imports = "its one import is there"
    if choice.imports == 0:
        imports = "it imports only parts of Python"
    where = "" if choice.environment is None else called(choice.environment)
    lacking = _missing(choice)
    if choice.reason in (ChoiceReason.OWN_KERNEL, ChoiceReason.SERVER):
        return f"{where}: {imports}"
    if choice.reason is ChoiceReason.ASKED:
        return f"{where}, as asked: {lacking or imports}{_offer(choice)}"
    if choice.reason is ChoiceReason.MAKE:
        return f"one will be made for this notebook: {lacking}"
    if choice.reason is ChoiceReason.MADE:
        place = choice.compared if choice.compared != "server" else "the server's Python"
        return f"{where}: {lacking.replace(' here', f' in {place}', 1)}"
    if choice.reason is ChoiceReason.NOT_MADE:
        return f"{where}, because none could be made: {lacking}. {one_line(choice.detail, 300)}"
    return f"{where}: {lacking}"


def _offer(choice: EnvironmentChoice) -> str:
    """Return how to obtain missing packages; nothing is added to an environment of the user's."""
    place = choice.environment
    if not choice.missing or place is None or place.origin is EnvironmentOrigin.MADE:
        return ""
    return f" (--environment {OWN} makes one with {_names(choice.missing)})"


def called(environment: FoundEnvironment) -> str:
    """Return an environment's name for users: conda env `ml`."""
    origin = label("origin", environment.origin.value)
    if environment.origin is EnvironmentOrigin.SERVER:
        return origin
    if environment.origin is EnvironmentOrigin.MADE:
        return f"{origin} {environment.name}"
    return f"{origin} `{one_line(environment.name, 80)}`"


def _missing(choice: EnvironmentChoice) -> str:
    parts = []
    if choice.missing:
        count = len(choice.missing)
        verb = "1 package is" if count == 1 else f"{count} packages are"
        parts.append(f"{verb} missing here: {_names(choice.missing)}")
    if choice.unknown:
        parts.append(f"the package of {_names(choice.unknown)} is not known")
    return "; ".join(parts)


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(one_line(name, 60) for name in names[:12])
    return shown if len(names) <= 12 else f"{shown} and {len(names) - 12} more"


def found_line(environment: FoundEnvironment) -> str:
    """Return the packages of an environment among a notebook's imports."""
    line = f"{called(environment)}"
    line += f" (Python {environment.python})" if environment.python else ""
    if environment.trouble is not None:
        return f"{line}: {text(trouble_message(environment.trouble))}"
    if environment.missing:
        return f"{line}: lacks {_names(environment.missing)}"
    return f"{line}: has all imports"


def remark_line(remark: EnvironmentRemark) -> str:
    """Return the deviation from a request."""
    package, wanted, used = (
        one_line(text, 80) for text in (remark.package, remark.wanted, remark.used)
    )
    if remark.code is RemarkCode.PINS_DROPPED:
        used = used or "another"
    code = remark.code.value
    return label("environment-remark", code, package=package, wanted=wanted, used=used)


def refused_line(refused: RefusedRequirement) -> str:
    """Return a line about a text that is not accepted as a package."""
    text = f" {one_line(refused.text, 80)!r}" if refused.text else ""
    reason = label("refusal", refused.refusal.value)
    return f"{one_line(refused.origin, 60)}:{text} is not followed ({reason})"


def made_line(made: MadeEnvironment) -> str:
    """Return the contents of a made environment."""
    time = "today's packages"
    if made.order.time is EnvironmentTime.OWN:
        time = f"packages of {made.order.until}"
    main = [name for name in map(_name, made.order.requirements) if name in made.versions]
    shown = [f"{name} {made.versions[name]}" for name in main[:6]]
    more = f" and {len(main) - 6} more" if len(main) > 6 else ""
    return f"Python {made.python}, {time}: {', '.join(shown)}{more}"


def _name(requirement: str) -> str:
    return next(
        (requirement[:end] for end, sign in enumerate(requirement) if sign in "<>=!~ ["),
        requirement,
    )


def size_text(size: int) -> str:
    """Return a number of bytes in readable form."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"
