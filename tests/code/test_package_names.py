from __future__ import annotations

import pytest

from mle_modernizer_server.code.package_names import name_uses
from mle_modernizer_server.code.program import Program
from mle_modernizer_server.code.types.inference import TypeInference
from tests.fixing.rules.rewriting import notebook


def asked(*sources: str) -> dict[str, bool]:
    """The questions of a notebook, and whether each is sure to be reached."""
    program = Program(notebook(*sources))
    found = (one.use for one in name_uses(program, TypeInference(program)))
    return {use.question.key: use.sure for use in found}


@pytest.mark.parametrize(
    ("source", "keys"),
    [
        ("import a.b as c", ["module a.b"]),
        ("from a.b import c, d", ["module a.b", "member a.b.c", "member a.b.d"]),
        ("import tensorflow as tf\ntf.a.b.c", ["module tensorflow", "attribute tensorflow.a.b.c"]),
        (
            "from a import f\nf(1, x=2)",
            ["module a", "member a.f", "argument a.f x"],
        ),
        (
            "from a import Model\nm = Model()\nm.fit(1, nb=2)",
            ["module a", "member a.Model", "method a.Model.fit", "argument a.Model.fit nb"],
        ),
        (
            "from a import *\nfrom b.c import *\nn = 3\nprint(thing(x=n), plt.y)",
            [
                *("module a", "module b.c", "starred a thing", "starred b.c thing"),
                *("starred a plt", "starred b.c plt"),
            ],
        ),
        ("from . import own\nown.f()", []),
        ("import a\na.b = 1\na.b", ["module a"]),
        ("def f(x):\n    return x.y\nf(1).z", []),
    ],
)
def test_names_of_packages_are_asked_for(source: str, keys: list[str]) -> None:
    assert sorted(asked(source)) == sorted(keys)


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    import a\nexcept ImportError:\n    import b",
        "try:\n    import a\nexcept:\n    a = None",
        "import sys\nif sys.version_info[0] < 3:\n    import a",
        "import contextlib\nwith contextlib.suppress(ImportError):\n    import a",
        "from google.colab import drive",
    ],
)
def test_names_that_may_be_absent_are_not_asked_for(source: str) -> None:
    assert not {"module a", "module b", "module google.colab"} & set(asked(source))


def test_names_in_branches_and_unused_functions_are_unsure() -> None:
    found = asked(
        "import a\nif a.x:\n    a.y\ndef unused():\n    a.z\ndef used():\n    a.w\nused()\n"
        "if __name__ == '__main__':\n    a.v"
    )
    sure = {key.rpartition(".")[2]: value for key, value in found.items() if "attribute" in key}
    assert sure == {"x": True, "y": False, "z": False, "w": True, "v": True}


@pytest.mark.parametrize("cell", ["%run other.py", "exec(text)", "x = (", "%%html\n<p>"])
def test_star_names_are_not_asked_for_beside_unread_code(cell: str) -> None:
    found = asked("from a import *", cell, "thing")
    assert ("starred a thing" in found) is cell.startswith("%%html")
