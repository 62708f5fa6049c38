"""Credentials that are written down for Chart Studio."""

from tests.fixing.rules.rewriting import assert_rewrites, assert_stays


def test_the_line_for_plotly_goes() -> None:
    setup = "import plotly.tools as tls\n"
    assert_rewrites(
        "plotly-credentials", "tls.set_credentials_file(username='a')\nx = 1", "x = 1", setup
    )


def test_the_line_goes_whether_its_module_was_renamed_or_not() -> None:
    for module in ("plotly.plotly", "plotly.offline"):
        setup = f"import {module} as py\n"
        assert_rewrites("plotly-credentials", "py.sign_in('me', 'key')\nx = 1", "x = 1", setup)


def test_chart_studio_still_takes_them() -> None:
    assert_stays(
        "plotly-credentials", "import chart_studio\nchart_studio.tools.set_credentials_file('a')"
    )
