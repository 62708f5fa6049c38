"""The day, the Python and the versions of a notebook's own time, from its era."""

from __future__ import annotations

from datetime import date

from mle_modernizer_server.domain.era import Era, LibraryEra, Traces
from mle_modernizer_server.environments.dating import bounds_of, day_of, python_of


def test_newest_date_is_the_day_unless_a_time_is_chosen() -> None:
    traces = Traces(dates=("2018-03-04T10:00:00Z", "2019-05-06", "no date"))
    era = Era(first_year=2017, last_year=2017)
    assert day_of(traces, era) == date(2019, 5, 6)
    assert day_of(traces, era.model_copy(update={"chosen": "2017"})) == date(2017, 7, 2)
    assert day_of(Traces(), Era()) is None


def test_python_of_the_file_precedes_that_of_the_day() -> None:
    assert python_of(Traces(python="3.6.8"), date(2019, 1, 1), {"3.7": "2018-06"}) == "3.6"
    assert python_of(Traces(), date(2020, 1, 1), {"3.7": "2018-06"}) == "3.7"


def test_bounds_include_the_last_minor_version_of_the_era() -> None:
    libraries = (
        LibraryEra(library="pandas", first="0.20", last="0.25", text=()),
        LibraryEra(library="sklearn", last="0.19", text=()),
        LibraryEra(library="numpy", text=()),
    )
    bounds = bounds_of(Era(libraries=libraries))
    assert bounds == {"pandas": ">=0.20,<0.26", "scikit-learn": "<0.20"}
