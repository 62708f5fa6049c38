"""The schema of the knowledge base: one rule per breaking change, its fix mostly as data."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from enum import Enum
from functools import cache
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from mle_modernizer_server.code.traceback import called_frames, failing_lines, line_beside
from mle_modernizer_server.domain.base import Value
from mle_modernizer_server.domain.execution import CellError
from mle_modernizer_server.domain.proposal import Meaning
from mle_modernizer_server.fixing.rules.code_checks import (
    BUILT_IN,
    check_address,
    check_builtin,
    check_literal,
    check_name,
    check_template,
)
from mle_modernizer_server.fixing.rules.era.releases import numbers

GROUP = "mle_modernizer.rules"
"""Group of the entry points by which packages offer rules: each names a package or module."""


Address: TypeAlias = Annotated[str, AfterValidator(check_address)]
"""Dotted address of a module, class or function."""
Name: TypeAlias = Annotated[str, AfterValidator(check_name)]
LiteralCode: TypeAlias = Annotated[str, AfterValidator(check_literal)]
"""Code of a literal."""


class ChangeKind(str, Enum):
    """Kind of a library's change."""

    DEPRECATED = "deprecated"
    REMOVED = "removed"
    DEFAULT_CHANGED = "default-changed"
    BEHAVIOUR = "behaviour"
    """The same call still exists and returns something else."""
    FASTER = "faster"
    """No breaking change: the same result in less time."""


_OF_SETTINGS = "Invalid parameter"
"""Beginning of scikit-learn's error for an unknown parameter."""
_LARGE = 50
"""Weight from which on a silent change is large."""


class Severity(str, Enum):
    """Effect of a change on a notebook's score."""

    STOPS = "stops"
    """The cell fails: there may be no score at all."""
    LARGE = "large"
    """Without an error, the score may move far."""
    SMALL = "small"
    """Without an error, the score may move a little."""
    NONE = "none"
    """No score depends on it: pictures, prints, speed."""


class Confirm(str, Enum):
    """Evidence of a run that is needed before the fix is proposed."""

    NOTHING = "nothing"
    """The code alone shows that it cannot work (or cannot work as meant) with this version."""
    CELL = "cell"
    """Depends on the data: not in a cell that ran without an error."""
    ERROR = "error"
    """Only if an error of the run matches the symptom."""


class Move(Value):
    """Moved or renamed modules, functions, classes or constants."""

    do: Literal["move"]
    names: dict[Address, Address]
    """New address by old one. `module:Class.method` if the last part is no module's own."""


class MethodRename(Value):
    """Renamed methods or attributes of an object."""

    do: Literal["rename-method"]
    of: tuple[Address, ...]
    """Addresses of the classes."""
    names: dict[Name, Name]
    attribute: bool = False
    """An attribute that is not called."""
    distinctive: bool = False
    """No other class has such a method: the object's class need not be inferred."""


class CallFix(Value):
    """Changed arguments in calls of functions, classes or methods."""

    do: Literal["call"]
    functions: tuple[Address, ...] = ()
    """Addresses of functions and classes."""
    methods: tuple[Name, ...] = ()
    of: tuple[Address, ...] = ()
    distinctive: bool = False
    sure: bool = False
    """The object's class must be inferred from the code: an error in that line is not enough."""
    parameters: tuple[str, ...] = ()
    """Names of the old signature's parameters in order, without `self`."""
    keyword_after: int | None = None
    """Positional arguments from this one on must be passed by keyword now."""
    rename: dict[Name, Name] = Field(default_factory=dict)
    remove: tuple[str, ...] = ()
    remove_values: dict[str, LiteralCode] = Field(default_factory=dict)
    """Removed if the argument is this literal (otherwise it is left)."""
    values: dict[str, dict[LiteralCode, LiteralCode]] = Field(default_factory=dict)
    """New literal by old literal, by parameter."""
    add: dict[str, LiteralCode] = Field(default_factory=dict)
    """Literals for parameters that are absent."""
    when: dict[str, LiteralCode] = Field(default_factory=dict)
    """Only if these arguments are these literals."""
    given: tuple[str, ...] = ()
    """Only if all of these are present."""
    unless: tuple[str, ...] = ()
    """Not if one of these is present."""
    unless_values: dict[str, LiteralCode] = Field(default_factory=dict)
    """Not if one of these arguments is this literal."""
    unless_code: str = ""
    """Regular expression: not if the code of any cell of the notebook matches."""
    wrap: dict[str, Annotated[str, AfterValidator(check_builtin)]] = Field(default_factory=dict)
    """Builtin by parameter: argument `x` becomes `builtin(x)`."""
    not_tables: bool = False
    """Not if the only positional argument may be a whole table, which the call takes now."""
    inside: str = ""
    """Parameter that takes a dict: its items are renamed, removed and re-valued, not arguments.

    Items of a dict that comes in with `**` are arguments anyway.
    """


class Template(Value):
    """Calls rewritten with a template."""

    do: Literal["template"]
    functions: tuple[Address, ...] = ()
    methods: tuple[Name, ...] = ()
    of: tuple[Address, ...] = ()
    distinctive: bool = False
    attribute: bool = False
    """Methods that were attributes: not called."""
    parameters: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    """Further arguments that `write` uses, given by name only."""
    drop: dict[str, tuple[LiteralCode, ...]] = Field(default_factory=dict)
    """Literals by parameter that the new code implies: such an argument is left out."""
    unless: tuple[str, ...] = ()
    """Not if one of these is present (and is not left out): the new code does not take it."""
    write: str
    """`{name}` is the code of an argument, `{self}` that of the object, `{rest}` all arguments
    the template does not name (with a leading comma)."""
    imports: dict[Address, Name] = Field(default_factory=dict)
    """Modules the new code needs: usual alias by module; `{alias}` is its placeholder in
    `write`."""

    @model_validator(mode="after")
    def _is_complete(self, info: ValidationInfo) -> Template:
        if info.context != BUILT_IN:
            check_template(self.write, {*self.parameters, *self.keywords}, self.imports)
        return self


class Hand(Value):
    """A codemod in Python: a function `@codemod("id of the rule", …)` next to the YAML."""

    do: Literal["codemod"]


class Python2(Value):
    """Syntax that Python 3 cannot parse: rewritten by fissix before all other rules."""

    do: Literal["python2"]
    fixers: tuple[str, ...] = ()
    """Names of fissix's fixers, `raw-unicode` and `text-escapes`."""
    signs: tuple[str, ...]
    """Regular expressions, by line: a cell without a match is skipped."""
    always: bool = False
    """Python 3 can parse it too, with another meaning."""
    tabs: bool = False
    """Mixed tabs and blanks, as only Python 2 allowed them."""
    comments: bool = False
    """Text that no Python can parse becomes comments."""


Fixing = Annotated[
    Move | MethodRename | CallFix | Template | Hand | Python2, Field(discriminator="do")
]


class Rule(Value):
    """One breaking change: its symptoms, its meaning, and its fix."""

    id: str
    library: str
    """Import name; `python` and `IPython` are libraries here."""
    since: str
    """First version of the library in which the old code fails or behaves differently."""
    deprecated: str = ""
    """Version that first warned of it, if known."""
    kind: ChangeKind = ChangeKind.REMOVED
    silent: bool = False
    """No exception: results change, or a line does nothing."""
    some_run: bool = False
    """Some of the old calls do not fail but return something else, though it is not `silent`."""
    symptoms: tuple[str, ...] = ()
    """Regular expressions on `Type: message` of the exception."""
    where: str = ""
    """For a symptom that others share: pattern for a line of the notebook that failed."""
    through: str = ""
    """For a symptom that others share: pattern for the heads of the frames that the notebook's
    innermost line called into, one a line, if the traceback has them."""
    not_through: str = ""
    """The reverse: pattern for heads that indicate another cause."""
    what: str
    """The library's change, as a sentence."""
    replacement: str
    """The code to write now, as a sentence."""
    link: str
    """Release note or documentation page."""
    meaning: Meaning = Meaning.RENAME
    """Effect of an edit for it on the experiment."""
    confirm: Confirm = Confirm.NOTHING
    general: bool = False
    """Its symptom indicates no change of a library: it fixes, and explains no error."""
    for_models: str | None = None
    """Hint for a model if the rule inserts a class that would be rejected in a model's patch;
    empty: no hint on the change."""
    after: tuple[str, ...] = ()
    """Ids of rules to apply first. Skip this rule while one of them has an edit or a doubt in the
    notebook: its result may make this rule unnecessary, or it would not recognise this rule's
    result, and half a fix is worse than none."""
    alone: bool = False
    """Its fix is right by itself: only an edit of the rules in `after` holds it back, no doubt."""
    needs: tuple[str, ...] = ()
    """Import names of packages that the fixed code uses without naming them: if one is not
    installed, the change is explained, and the code stays as it is."""
    weight: int = 0
    """For silent changes: size of their effect on a score; the most likely cause comes first."""
    words: tuple[str, ...] = ()
    """Further names in the code that make the rule relevant to a notebook."""
    fixes: tuple[Fixing, ...] = ()

    @field_validator("after", mode="before")
    @classmethod
    def _one_or_more(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("symptoms", "where", "through", "not_through")
    @classmethod
    def _compiles(cls, value: str | tuple[str, ...], info: ValidationInfo) -> str | tuple[str, ...]:
        if info.context == BUILT_IN:
            return value
        for pattern in (value,) if isinstance(value, str) else value:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression: {error}") from error
        return value

    @field_validator("since")
    @classmethod
    def _is_version(cls, value: str) -> str:
        if not numbers(value):
            raise ValueError(f"{value!r} is no version")
        return value

    @property
    def automatic(self) -> bool:
        """Return whether there is a fix for it."""
        return bool(self.fixes)

    @property
    def severity(self) -> Severity:
        """Return the effect of the change on a score."""
        if not self.silent:
            return Severity.STOPS
        if self.meaning in (Meaning.DISPLAY, Meaning.SPEED):
            return Severity.NONE
        return Severity.LARGE if self.weight >= _LARGE else Severity.SMALL

    @property
    def modules(self) -> frozenset[str]:
        """Return the import names that the new code needs besides the rule's own library."""
        names: set[str] = set()
        for fix in self.fixes:
            if isinstance(fix, Move):
                names.update(re.split(r"[.:]", new)[0] for new in fix.names.values())
            elif isinstance(fix, Template):
                names.update(module.partition(".")[0] for module in fix.imports)
        names.update(self.needs)
        return frozenset(names - {self.library} - set(sys.stdlib_module_names))

    @property
    def _symptoms(self) -> tuple[re.Pattern[str], ...]:
        return tuple(map(_compiled, (*self.symptoms, *self._of_settings)))

    @property
    def _of_settings(self) -> Iterator[str]:
        """Yield scikit-learn's errors if a grid or `set_params` has a removed argument."""
        for fix in self.fixes:
            if isinstance(fix, CallFix) and not fix.inside:
                gone = sorted({*fix.rename, *fix.remove, *fix.remove_values})
                models = sorted({function.rpartition(".")[2] for function in fix.functions})
                if gone and models:
                    names, classes = "|".join(gone), "|".join(models)
                    yield rf"{_OF_SETTINGS} '?({names})'? for estimator ({classes})\("

    def _is_symptom(self, text: str) -> bool:
        fitting = (one for one in self.symptoms if _begins_in(one, text))
        if any(_compiled(one).search(text) for one in fitting):
            return True
        if _OF_SETTINGS not in text:
            return False
        return any(_compiled(symptom).search(text) for symptom in self._of_settings)

    def matches(self, error: CellError) -> bool:
        """Return whether the error is a symptom of this change."""
        if not self._is_symptom(f"{error.ename}: {error.evalue}"):
            return False
        beside = line_beside(error)
        lines = [*failing_lines(error), *([beside.code] if beside else [])]
        called = "\n".join(called_frames(error))
        if self.through and (called or lines) and not re.search(self.through, called):
            return False
        if self.not_through and re.search(self.not_through, called):
            return False
        return not (self.where and lines) or any(re.search(self.where, line) for line in lines)

    def specificity(self, error: CellError) -> int:
        """Return the number of the error's characters that the matching symptom spells out.

        Of several changes with the symptom, the one that spells out most of it is the likeliest: a
        message of its own rather than `got an unexpected keyword argument`.
        """
        text = f"{error.ename}: {error.evalue}"
        fitting = [symptom for symptom in self._symptoms if symptom.search(text)]
        proved = len(self.where) if failing_lines(error) else 0
        return max((_spelled_out(one.pattern) for one in fitting), default=0) + proved

    def matching_line(self, error: CellError) -> str:
        """Return the line of the error's text that is the symptom, with the exception's type."""
        for line in error.evalue.splitlines():
            text = line if line.startswith(error.ename) else f"{error.ename}: {line}"
            if any(symptom.search(text) for symptom in self._symptoms):
                return text.strip()
        return f"{error.ename}: {error.evalue.strip()}".splitlines()[0]

    def is_fixable(self, installed: Collection[str]) -> bool:
        """Return whether there is a fix for it that works with these packages (by import name)."""
        return self.automatic and all(name in installed for name in self.needs)

    def concerns(self, version: str | None) -> bool:
        """Return whether the change is in the installed version (unknown: no)."""
        return version is not None and numbers(self.since) <= numbers(version)

    @property
    def identifiers(self) -> frozenset[str]:
        """Return the names in code that this rule is about."""
        names = set(self.words)
        for fix in self.fixes:
            if isinstance(fix, Move):
                names.update(old.rpartition(".")[2] for old in fix.names)
            elif isinstance(fix, MethodRename):
                names.update(fix.names)
            elif isinstance(fix, (CallFix, Template)):
                names.update(function.rpartition(".")[2] for function in fix.functions)
                names.update(fix.methods)
        return frozenset(names)


@cache
def _compiled(symptom: str) -> re.Pattern[str]:
    return re.compile(symptom)


_BEGINNING = re.compile(r"[\w ':,]*(?=[\w ':,])")
"""The plain text that a regular expression begins with, but for a character that `?` may follow."""
_GROUP = re.compile(r"\([^()]*\)")


def _begins_in(symptom: str, text: str) -> bool:
    """Return whether a text has the beginning of a symptom: sooner known than a match."""
    beginning = _BEGINNING.match(symptom)
    return beginning is None or beginning[0] in text or "|" in _GROUP.sub("", symptom)


_WILD = re.compile(r"\\[wWdDsSbB]|\[[^\]]*\]|\(\?[^)]*\)|[.^$*+?{}|()\\]")


_CHOICE = re.compile(r"\((?:\?:)?([^()]*\|[^()]*)\)")


def _spelled_out(pattern: str) -> int:
    """Return the number of plain characters in a regular expression; the least of alternatives."""
    plain = _CHOICE.sub(lambda choice: _shortest(choice[1]), pattern)
    return len(_WILD.sub("", _shortest(plain)))


def _shortest(alternatives: str) -> str:
    return min(alternatives.split("|"), key=len)
