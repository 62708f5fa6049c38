from __future__ import annotations

from tests.fixing.rules.executed.case import Case

LOUD: list[Case] = [
    Case(
        "setuptools-pkg-resources",
        "",
        "import pkg_resources\nresult = pkg_resources.get_distribution('numpy').version",
        "result",
        differs="the versions of numpy differ",
    ),
    Case(
        "setuptools-pkg-resources",
        "",
        "from pkg_resources import parse_version",
        "parse_version('1.10') > parse_version('1.9')",
    ),
]

SILENT: list[Case] = []
