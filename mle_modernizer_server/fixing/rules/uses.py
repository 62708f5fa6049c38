"""Rules that concern a notebook, by the libraries that its code may use and its arguments."""

from __future__ import annotations

from mle_modernizer_server.code.vocabulary import Vocabulary
from mle_modernizer_server.domain.notebook import Notebook
from mle_modernizer_server.fixing.rules.rule import CallFix, Rule

_LANGUAGE = frozenset({"python", "IPython"})
"""Languages, which no notebook imports."""
# Libraries that are imported together with another one.
_TOGETHER = {
    "keras": ("tensorflow", "tf_keras"),
    "tensorflow": ("keras",),
    "joblib": ("sklearn",),
    "matplotlib": ("pylab", "seaborn", "mpl_toolkits"),
    "numpy": ("pandas", "pylab"),
    "scipy": ("sklearn",),
}


class Uses:
    """The names that the code of a notebook uses, and the rules that they concern.

    Attributes:
        names: As those of `Vocabulary`.
    """

    def __init__(self, notebook: Notebook) -> None:
        self._used = Vocabulary(notebook)
        self.names = self._used.names
        roots = self._used.packages
        self._roots = roots | {one for one, others in _TOGETHER.items() if roots & set(others)}

    def may_use(self, library: str) -> bool:
        """Return whether a library is imported, directly or with another one."""
        return library in self._roots or library in _LANGUAGE

    def gives_all(self, rule: Rule) -> bool:
        """Return whether a rule is about defaults only, and every call has these arguments."""
        fixes = [fix for fix in rule.fixes if isinstance(fix, CallFix)]
        if not fixes or len(fixes) < len(rule.fixes):
            return False
        if not all(fix.add and not (fix.rename or fix.remove or fix.values) for fix in fixes):
            return False
        wanted = [
            (function.rpartition(".")[2], set(fix.add))
            for fix in fixes
            for function in fix.functions
        ]
        calls = [added <= given for name, added in wanted for given in self._used.keywords(name)]
        return bool(calls) and all(calls)

    def sets(self, rule: Rule) -> bool:
        """Return whether a text names a removed argument as pipelines do: `ridge__normalize`."""
        return any(
            (address.rpartition(".")[2].lower(), argument) in self._used.settings
            for fix in rule.fixes
            if isinstance(fix, CallFix)
            for address in fix.functions
            for argument in (*fix.rename, *fix.remove)
        )

    def gives_none(self, rule: Rule) -> bool:
        """Return whether a rule is about arguments only, and no call has one of these."""
        if self.sets(rule):
            return False
        fixes = [fix for fix in rule.fixes if isinstance(fix, CallFix)]
        return (
            bool(fixes)
            and len(fixes) == len(rule.fixes)
            and not any(self._is_concerned(fix) for fix in fixes)
        )

    def _is_concerned(self, fix: CallFix) -> bool:
        about = {*fix.rename, *fix.remove, *fix.remove_values, *fix.values, *fix.wrap}
        if fix.add or fix.inside or not (about or fix.keyword_after is not None):
            return True  # the arguments of the calls do not show whether these fixes apply
        names = {address.rpartition(".")[2] for address in (*fix.functions, *fix.methods)}
        if names & self._used.unread and about & self._used.unread:
            return True
        places = [at for at, name in enumerate(fix.parameters) if name in about]
        if fix.keyword_after is not None:
            places.append(fix.keyword_after)
        return any(
            given & {*about, ""} or (places and self._used.places(name) > min(places))
            for name in names
            for given in self._used.keywords(name)
        )
