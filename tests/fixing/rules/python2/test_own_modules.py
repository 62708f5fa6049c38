"""How the copies of modules beside a notebook read that are Python 2's."""

from __future__ import annotations

import pytest

from mle_modernizer_server.domain.files import HelperReading, HelperSource
from mle_modernizer_server.fixing.rules.analysis import Analysis, IsolatedAnalysis
from mle_modernizer_server.fixing.rules.python2 import own_modules
from mle_modernizer_server.fixing.rules.python2.own_modules import read_helpers


def _read(source: str, *beside: str) -> HelperReading | None:
    found = read_helpers([HelperSource(path="own/__init__.py", source=source, beside=beside)])
    return found[0] if found else None


def test_an_import_from_its_own_package_is_looked_for_there_last() -> None:
    read = _read("import predict\n\n__all__ = ['predict']\n", "predict")
    assert read is not None
    assert read.source == (
        "try:\n    import predict\nexcept ModuleNotFoundError:\n    from . import predict\n"
        "\n__all__ = ['predict']\n"
    )
    assert read.relative == ("predict",)
    assert not read.translated


@pytest.mark.parametrize(
    ("line", "relative"),
    [
        ("import predict as p", "from . import predict as p"),
        ("from predict import a, b as c", "from .predict import a, b as c"),
        ("from predict import *", "from .predict import *"),
        (
            "from predict.parts import (\n    a,\n    b,\n)  # both",
            "from .predict.parts import a, b",
        ),
    ],
)
def test_all_forms_of_imports(line: str, relative: str) -> None:
    read = _read(line, "predict")
    assert read is not None
    assert f"except ModuleNotFoundError:\n    {relative}" in read.source
    compile(read.source, "own", "exec")


def test_within_a_function_and_among_others() -> None:
    read = _read("def f():\n\timport os, predict, re\n\treturn predict\n", "predict")
    assert read is not None
    assert read.source.startswith("def f():\n\timport os, re\n\ttry:\n\t    import predict\n")
    compile(read.source, "own", "exec")


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "import predict.parts",
        "from . import predict",
        "from __future__ import absolute_import\nimport predict",
        "try:\n    import predict\nexcept ImportError:\n    from . import predict",
        "import re; import predict",
        "if True: import predict",
        "print 1 2 3",
        "x = (" * 500,
    ],
)
def test_what_is_left_as_it_is(source: str) -> None:
    assert _read(source, "predict") is None


def test_python_2_is_translated() -> None:
    read = _read("import urllib2\ndef f(d):\n    for k, v in d.iteritems():\n        print k, v\n")
    assert read is not None
    assert read.translated
    assert "print(k, v)" in read.source
    assert "in d.items():" in read.source
    assert "urllib.request" in read.source


@pytest.mark.parametrize(
    ("source", "new"),
    [
        ("for x in xrange(3):\n    pass\n", "for x in range(3):"),
        ("import cPickle\ncPickle.loads(b'')\n", "import pickle"),
        ("def f(x):\n    return unicode(x)\n", "return str(x)"),
    ],
)
def test_names_that_only_python_2_has(source: str, new: str) -> None:
    read = _read(source)
    assert read is not None
    assert read.translated
    assert new in read.source


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    xrange\nexcept NameError:\n    xrange = range\nxrange(3)\n",
        "import sys\nif sys.version_info[0] < 3:\n    range = xrange\n",
        "from six.moves import xrange\nxrange(3)\n",
        "from functools import reduce\nreduce(max, [1])\n",
        "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle\n",
    ],
)
def test_modules_for_both_pythons_are_left_alone(source: str) -> None:
    assert _read(source) is None


def test_both_at_once() -> None:
    read = _read("import predict\nprint 'x'\n", "predict")
    assert read is not None
    assert read.translated
    assert read.relative == ("predict",)


def test_very_long_files_are_left_alone() -> None:
    assert _read("print 'x'\n" * 30_000) is None


def test_many_files_have_a_bound_together(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [HelperSource(path=f"{n}.py", source="print 'x'\n" * 1_000) for n in range(10)]
    monkeypatch.setattr(own_modules, "_MOST_OF_ALL", 6_000)
    assert 0 < len(read_helpers(files)) < 5


@pytest.mark.process
@pytest.mark.parametrize("make", [Analysis, IsolatedAnalysis])
def test_asked_in_a_process_of_its_own(make: type[Analysis]) -> None:
    analysis = make()
    try:
        files = (HelperSource(path="own/__init__.py", source="print 'x'"),)
        assert analysis.read_helpers(files)[0].source == "print('x')"
        assert analysis.read_helpers(()) == ()
    finally:
        analysis.close()
