"""Names of installed packages that a notebook uses: modules, functions, methods, arguments."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from mle_modernizer_server.domain.base import Value


class NameKind(str, Enum):
    """Form in which code refers to a name of a package."""

    MODULE = "module"
    """`import a.b`, or the module of `from a.b import …`."""
    MEMBER = "member"
    """`from a.b import c`."""
    ATTRIBUTE = "attribute"
    """`a.b.c` in an expression."""
    METHOD = "method"
    """Call of a method of an object of the class `a.b.C`; the address ends with the method."""
    ARGUMENT = "argument"
    """Keyword of a call of `a.b.c`."""
    STARRED = "starred"
    """Name that `from a.b import *` brings; `detail` is the name."""


class NameQuestion(Value):
    """Question to the installed packages whether they have a name."""

    kind: NameKind
    address: str
    """Dotted address, such as `tensorflow.keras.layers.Dense`."""
    detail: str = ""
    """The keyword, or the name of a star import."""

    @property
    def key(self) -> str:
        """Return a text that differs for each question."""
        return f"{self.kind.value} {self.address} {self.detail}".rstrip()

    @property
    def top(self) -> str:
        """Return the import name of the package."""
        return self.address.partition(".")[0]


class NameUse(Value):
    """Use of a package's name in a cell."""

    question: NameQuestion
    cell_id: str
    sure: bool
    """False: a branch, or a function that nothing calls, so that it may never run."""


class NameUses(Value):
    """Uses of packages' names in a notebook, and what its patch before the first run adds."""

    uses: tuple[NameUse, ...] = ()
    added: tuple[NameQuestion, ...] = ()
    """Names that only the patched notebook uses."""

    @property
    def questions(self) -> tuple[NameQuestion, ...]:
        """Return all questions, each once."""
        return tuple(dict.fromkeys((*(one.question for one in self.uses), *self.added)))

    def absences(self, found: Sequence[Absence]) -> Absences:
        """Return the absent names of the notebook, and those of its patch alone.

        Args:
            found: Absent names among the questions.
        """
        used = {one.question for one in self.uses}
        of_notebook = tuple(one for one in found if one.question in used)
        own = {one.failing for one in of_notebook}
        others = (one for one in found if one.question not in used and one.failing not in own)
        return Absences(
            of_notebook=of_notebook,
            of_fixes=tuple(
                dict.fromkeys(
                    one.failing for one in others if one.question.kind is not NameKind.ARGUMENT
                )
            ),
        )


class Absence(Value):
    """A name that the installed packages do not have, with the exception that a use raises."""

    question: NameQuestion
    failing: str
    """First part of the address that is absent."""
    ename: str
    evalue: str

    @property
    def is_package(self) -> bool:
        """Return whether a whole package is absent, not a name of an installed one."""
        return "." not in self.failing and self.evalue == f"No module named {self.failing!r}"


class Absences(Value):
    """Names that the installed packages lack."""

    of_notebook: tuple[Absence, ...] = ()
    """Names that the notebook uses."""
    of_fixes: tuple[str, ...] = ()
    """Addresses that fixes would write; the notebook does not use them."""


NONE_ABSENT = Absences()
"""Nothing is known to be absent."""
