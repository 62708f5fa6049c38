"""The outlook before a run."""

from __future__ import annotations

from mle_modernizer_server.domain.environment import ChoiceReason, EnvironmentChoice
from mle_modernizer_server.domain.era import Era
from mle_modernizer_server.domain.execution import Environment
from mle_modernizer_server.domain.files import FileFinding
from mle_modernizer_server.domain.forecast import Preflight
from mle_modernizer_server.words import text

NOTHING = Preflight(
    era=Era(),
    headline=(),
    environment=Environment(python="3.11.7", packages={}),
    sandbox="process",
    items=(),
)


def test_outlook_names_packages_that_were_not_examined() -> None:
    choice = EnvironmentChoice(
        reason=ChoiceReason.MAKE, missing=("statsmodels",), unknown=("mine",)
    )
    found = NOTHING.model_copy(update={"choice": choice})
    assert text(found.outlook) == (
        "No change is known that will certainly break it. "
        "Not installed, and so not examined: statsmodels, mine."
    )
    known = Environment(python="3.11.7", packages={"statsmodels": "0.15.0"})
    told = text(found.model_copy(update={"environment": known}).outlook)
    assert told.endswith("Not installed, and so not examined: mine."), "it will be installed"


def test_path_that_a_fix_corrects_is_no_missing_file() -> None:
    files = (
        FileFinding(cell_id="a", path="../x.csv", candidates=("x.csv",), taken="x.csv"),
        FileFinding(cell_id="b", path="../y.csv"),
        FileFinding(cell_id="b", path="../out/z.csv", taken="z.csv", written=True),
    )
    found = NOTHING.model_copy(update={"files": files})
    assert text(found.outlook) == "1 file is not found. 2 paths can be corrected."
