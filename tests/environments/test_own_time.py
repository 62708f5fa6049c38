"""Environments of the notebook's own time, from an index that tells upload times and one that does
not. uv is the real one; the packages are tiny, but for those that describe themselves wrongly.
"""

from __future__ import annotations

import sys
import threading
from datetime import date
from pathlib import Path

import pytest

from mle_modernizer_server.domain.environment import (
    EnvironmentOrder,
    EnvironmentTime,
    MakingProblem,
)
from mle_modernizer_server.domain.errors import EnvironmentUnavailable
from mle_modernizer_server.environments.making import Maker
from mle_modernizer_server.environments.pythons import (
    BasePython,
    base_python,
    installed,
    python_of_date,
)
from mle_modernizer_server.environments.resolving import Resolver, uv_configuration
from mle_modernizer_server.environments.store import KeptEnvironments
from mle_modernizer_server.environments.uv import Indexes, Uv, failure, indexes_of
from tests.environments.wheels import Wheels
from tests.refusals import refused

DAY = date(2019, 6, 30)
RELEASES = {"python": {"3.6": "2016-12", "3.7": "2018-06", "3.8": "2019-10", "3.9": "2020-10"}}


def order(*requirements: str, until: date = DAY, python: str = "") -> EnvironmentOrder:
    return EnvironmentOrder(
        requirements=requirements, time=EnvironmentTime.OWN, until=until, python=python
    )


def remarks(kept: KeptEnvironments) -> list[tuple[str, str, str]]:
    (made,) = kept.all()
    return [(item.code.value, item.package, item.used) for item in made.remarks]


def test_packages_are_of_the_time_and_so_are_those_they_need(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    wheels.add("alpha", "1.0", requires=("beta",), uploaded="2018-01-01")
    wheels.add("alpha", "1.1", requires=("beta",), uploaded="2019-06-30")
    wheels.add("alpha", "2.0", requires=("beta",), uploaded="2019-07-01")
    wheels.add("beta", "1.0", uploaded="2015-01-01")
    wheels.add("beta", "9.0", uploaded="2022-01-01")
    with wheels.dated() as indexes:
        made = Maker(kept, uv=Uv(indexes)).make(order("alpha"))
    assert made.versions == {"alpha": "1.1", "beta": "1.0", "ipykernel": "6.29.0", "pip": "25.0"}
    assert made.remarks == ()
    assert made.order.until == DAY


def test_oldest_fitting_wheel_is_used_if_none_is_of_the_time(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    wheels.add("alpha", "1.0", uploaded="2018-01-01")
    wheels.add_source("gamma", "0.1", "raise SystemExit")
    wheels.add("gamma", "0.5", uploaded="2021-01-01")
    wheels.add("gamma", "0.9", uploaded="2022-01-01")
    with wheels.dated() as indexes:
        made = Maker(kept, uv=Uv(indexes)).make(order("alpha", "gamma"))
    assert made.versions["gamma"] == "0.5"
    assert remarks(kept) == [("later", "gamma", "0.5")]


def test_date_moves_if_nothing_fits_at_it(kept: KeptEnvironments, wheels: Wheels) -> None:
    wheels.add("alpha", "1.0", requires=("beta",), uploaded="2018-01-01")
    wheels.add("beta", "1.0", uploaded="2020-03-01")
    with wheels.dated() as indexes:
        made = Maker(kept, uv=Uv(indexes)).make(order("alpha"))
    assert made.versions["beta"] == "1.0"
    ((code, _, used),) = remarks(kept)
    assert (code, used) == ("date-moved", "2020-06-30")


def test_an_index_without_upload_times_is_bounded_by_the_table(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    releases = {**RELEASES, "sklearn": {"0.20": "2018-09", "0.21": "2019-05", "0.22": "2019-12"}}
    for version in ("0.20.4", "0.21.3", "0.22.1"):
        wheels.add("scikit-learn", version)
    wheels.add("outside", "3.0")
    made = Maker(kept, releases, uv=Uv(wheels.indexes)).make(order("scikit-learn", "outside"))
    assert made.versions["scikit-learn"] == "0.21.3"
    assert [item.code.value for item in made.remarks] == ["by-table"]


def test_the_python_of_a_day_is_the_one_people_had_by_then() -> None:
    table = RELEASES["python"]
    assert python_of_date(date(2019, 6, 30), table) == "3.7"
    assert python_of_date(date(2018, 8, 1), table) == "3.6", "3.7 was two months old"
    assert python_of_date(date(2016, 6, 1), table) == "3.5"
    assert python_of_date(date(2030, 1, 1), table) == "3.9"


def _bases(monkeypatch: pytest.MonkeyPatch, *versions: tuple[int, int, int]) -> None:
    there = [BasePython(Path("/python"), version, ()) for version in versions]
    monkeypatch.setattr(
        "mle_modernizer_server.environments.pythons.installed", lambda *_: list(there)
    )


def test_the_nearest_python_is_taken_and_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _bases(monkeypatch, (3, 6, 15), (3, 8, 1), (3, 11, 7))
    uv = Uv(Indexes(), program="/nonexistent/uv")

    def chosen(wanted: str) -> tuple[str, list[tuple[str, str]]]:
        base, said = base_python(wanted, uv, tmp_path, download=False)
        return base.text, [(item.code.value, item.wanted) for item in said]

    assert chosen("3.8") == ("3.8.1", [])
    assert chosen("3.7.4") == ("3.6.15", [("python-nearest", "3.7.4")])
    assert chosen("3.5") == ("3.6.15", [("python-nearest", "3.5")])
    assert chosen("2.7.15") == ("3.6.15", [("python-2", "2.7.15")])
    _bases(monkeypatch)
    with refused(EnvironmentUnavailable, match=r"No Python 3\.6 or newer"):
        chosen("3.8")


def test_the_pythons_of_this_machine_are_found(tmp_path: Path) -> None:
    found = {item.version[:2]: item for item in installed(tmp_path)}
    here = found[sys.version_info[:2]]
    assert all(version >= (3, 6) for version in found)
    assert any(Path(place) in here.interpreter.parents for place in here.directories)


def test_pips_settings_are_uvs_options() -> None:
    indexes = indexes_of(
        {
            "index-url": "https://mirror.example/simple",
            "extra-index-url": "https://one.example https://two.example",
            "find-links": "/wheels",
            "cert": "/etc/ca.pem",
            "trusted-host": "mirror.example",
            "proxy": "http://proxy.example:3128",
        }
    )
    text = " ".join(indexes.arguments)
    assert "--default-index https://mirror.example/simple" in text
    assert "--index https://one.example --index https://two.example" in text
    assert "--find-links /wheels" in text
    assert "--allow-insecure-host mirror.example" in text
    assert "--index-strategy unsafe-best-match" in text
    assert dict(indexes.environ)["SSL_CERT_FILE"] == "/etc/ca.pem"
    assert indexes_of({}) == Indexes()


@pytest.mark.parametrize(("version", "numpy"), [("0.20.3", "1.9"), ("0.24.2", "1.12")])
def test_what_old_pandas_says_wrongly_of_itself_is_put_right(
    version: str, numpy: str, tmp_path: Path
) -> None:
    """From the real index: pandas before 0.25 asks for `pytz>=2011k`."""
    old = next((one for one in installed(Path("/nonexistent")) if one.version[:2] == (3, 6)), None)
    if old is None:
        pytest.skip("NO OLD PYTHON: pandas of that time has wheels for Python 3.6")
    resolver = Resolver(Uv(), old.interpreter, {}, threading.Event(), tmp_path)
    lock = resolver.resolve(order(f"pandas=={version}", until=DAY))
    assert lock.versions["pandas"] == version
    assert lock.versions["pytz"] == "2019.1"
    assert tuple(map(int, lock.versions["numpy"].split("."))) > tuple(map(int, numpy.split(".")))
    assert lock.remarks == ()
    (tmp_path / "wanted.txt").write_text(f"pandas=={version}")
    command = ("pip", "compile", str(tmp_path / "wanted.txt"), "--no-cache")
    raw = Uv().run((*command, "--python", str(old.interpreter), "--no-build"), indexed=True)
    assert failure(raw).problem is MakingProblem.OLD_METADATA, "the correction is needed"


def test_version_with_wrong_metadata_yields_to_a_correct_one(
    kept: KeptEnvironments, wheels: Wheels
) -> None:
    wheels.add("alpha", "1.0", requires=("beta (>=2011k)",), uploaded="2018-01-01")
    wheels.add("alpha", "2.0", requires=("beta>=1",), uploaded="2020-01-01")
    wheels.add("beta", "1.0", uploaded="2015-01-01")
    with wheels.dated() as indexes:
        made = Maker(kept, uv=Uv(indexes)).make(order("alpha"))
    assert made.versions["alpha"] == "2.0"
    assert remarks(kept) == [("later", "alpha", "2.0")]


def test_the_corrections_are_configuration_that_uv_reads(tmp_path: Path, wheels: Wheels) -> None:
    config = tmp_path / "uv.toml"
    config.write_text(uv_configuration())
    done = Uv(wheels.indexes).run(("cache", "dir"), config=config)
    assert done.code == 0
    assert "dependency-metadata" in config.read_text()
