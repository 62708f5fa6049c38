"""What the packages of an environment answer about their names; here, of a small package."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from mle_modernizer_server.execution.kernel.inside.installed_names import answer_of

PACKAGE = {
    "__init__.py": """
import functools
from collections import OrderedDict as Ordered
from .parts import Part

def __getattr__(name):
    if name == "lazy":
        return 1
    raise AttributeError(f"module 'mlething' has no attribute {name!r}")

def plain(a, *, b=1): ...
def open_to_all(a, **more): ...

def hiding(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        return function(*args, **kwargs)
    return call

@hiding
def decorated(a): ...

class Model:
    plot = Part
    def __init__(self, size=1):
        self.fitted = size
    def fit(self, x): ...

class Making:
    def __new__(cls, *args, **kwargs):
        return super().__new__(cls)
    def __init__(self, size=1): ...

class Open(Model):
    def __getattr__(self, name):
        return name

settings = Model()
""",
    "parts.py": "class Part:\n    def __call__(self, kind): ...\n",
    "listed.py": "__all__ = ['one']\none = two = 1\n",
    "broken.py": "import mle_absent_dependency\n",
    "refusing.py": "raise ImportError('needs a driver')\n",
}


@pytest.fixture(scope="module")
def _package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    place = tmp_path_factory.mktemp("packages")
    folder = place / "mlething"
    folder.mkdir()
    for name, content in PACKAGE.items():
        (folder / name).write_text(content, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(place)
        yield
        for name in [name for name in sys.modules if name.partition(".")[0] == "mlething"]:
            del sys.modules[name]


@pytest.mark.usefixtures("_package")
@pytest.mark.parametrize(
    ("kind", "address", "detail"),
    [
        ("module", "mlething.parts", ""),
        ("member", "mlething.Part", ""),
        ("member", "mlething.listed", ""),
        ("attribute", "mlething.lazy", ""),
        ("attribute", "mlething.listed.two", ""),
        ("attribute", "mlething.settings.later", ""),
        ("argument", "mlething.plain", "b"),
        ("argument", "mlething.open_to_all", "any"),
        ("argument", "mlething.decorated", "any"),
        ("argument", "mlething.Model", "size"),
        ("argument", "mlething.Model.plot", "kind"),
        ("argument", "mlething.gone", "any"),
        ("argument", "mlething.settings", "any"),
        ("argument", "builtins.max", "any"),
        ("method", "mlething.Model.fit", ""),
        ("method", "mlething.Model.fitted", ""),
        ("method", "mlething.Open.anything", ""),
        ("method", "mlething.gone.anything", ""),
        ("starred", "mlething.listed", "one"),
        ("starred", "mlething.parts", "Part"),
    ],
)
def test_name_that_is_there_or_cannot_be_told_is_no_absence(
    kind: str, address: str, detail: str
) -> None:
    assert answer_of(kind, address, detail) is None


@pytest.mark.usefixtures("_package")
@pytest.mark.parametrize(
    ("kind", "address", "detail", "failing", "error"),
    [
        ("module", "mleabsent.a", "", "mleabsent", "ModuleNotFoundError: No module named"),
        ("module", "mlething.a.b", "", "mlething.a", "ModuleNotFoundError: No module named"),
        (
            "module",
            "mlething.broken",
            "",
            "mlething.broken",
            "ModuleNotFoundError: No module named 'mle_absent_dependency'",
        ),
        ("module", "mlething.refusing", "", "mlething.refusing", "ImportError: needs a driver"),
        ("member", "mlething.a", "", "mlething.a", "ImportError: cannot import name 'a' from"),
        ("attribute", "mlething.a.b", "", "mlething.a", "AttributeError: module 'mlething' has"),
        ("attribute", "mlething.Model.a", "", "mlething.Model.a", "AttributeError: type object"),
        ("method", "mlething.Model.a", "", "mlething.Model.a", "AttributeError: 'Model' object"),
        ("argument", "mlething.plain", "c", "mlething.plain", "TypeError: plain() got an unexp"),
        ("argument", "mlething.Model", "c", "mlething.Model", "TypeError: Model.__init__() got"),
        ("argument", "mlething.Making", "c", "mlething.Making", "TypeError: Making.__init__() "),
        ("argument", "mlething.Model.fit", "c", "mlething.Model.fit", "TypeError: fit() got an"),
        ("starred", "mlething.listed", "two", "mlething.listed.two", "NameError: name 'two' is"),
    ],
)
def test_absent_name_is_told_with_the_error_of_a_use(
    kind: str, address: str, detail: str, failing: str, error: str
) -> None:
    answer = answer_of(kind, address, detail)
    assert answer is not None
    assert answer[0] == failing
    assert f"{answer[1]}: {answer[2]}".startswith(error)
