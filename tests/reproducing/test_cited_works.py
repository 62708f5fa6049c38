"""Cited works that are at hand: found, read, and what they state is taken over with its place."""

from __future__ import annotations

import asyncio
import gzip
from functools import partial
from pathlib import Path

import pytest

from mle_modernizer_server.domain.paper import Ancestor, PaperReading, SourceKind, Statement
from mle_modernizer_server.fixing.llm.settings import LlmSettings
from mle_modernizer_server.reproducing import cited_works
from mle_modernizer_server.reproducing.cited_code import code_citing
from mle_modernizer_server.reproducing.experiment import experiment_of
from mle_modernizer_server.reproducing.skeleton import skeleton
from mle_modernizer_server.wiring import build_modernizer

TITLE = "A decision-theoretic generalization of on-line learning and an application to boosting"
PAPER = rf"""\documentclass{{article}}\title{{A New Booster}}\begin{{document}}
\section{{Experiments}}
We use the same learning rate and the same settings as \cite{{freund1997}}.
Our network has a neural layer. Networks have layers; deep networks have epochs and layers.
We reach an accuracy of 93.5\,\% on Wine.
\begin{{thebibliography}}{{1}}
\bibitem{{freund1997}} Y. Freund and R. Schapire. {TITLE}. arXiv:1234.56789, 1997.
\end{{thebibliography}}\end{{document}}"""
CITED = rf"""\documentclass{{article}}\title{{{TITLE}}}\begin{{document}}
\section{{Experiments}}\label{{e}}
We train with a learning rate of 0.05. \end{{document}}"""


def read(folder: Path) -> PaperReading:
    modernizer = build_modernizer(data_root=folder / "data", sandbox=None, llm=LlmSettings())
    return asyncio.run(modernizer.papers.read_paper(folder / "new.tex"))


@pytest.fixture(autouse=True)
def one_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """One library is looked through for code: all of them take seconds."""
    monkeypatch.setattr(cited_works, "code_citing", partial(code_citing, libraries=("sklearn",)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "new.tex").write_text(PAPER, "utf-8")
    return tmp_path


def only(reading: PaperReading) -> Ancestor:
    (found,) = reading.lineage
    assert found.key == "freund1997"
    assert "learning_rate" in found.requirements
    return found


@pytest.mark.parametrize(
    "name",
    [
        "cited/freund1997.tex",
        pytest.param("freund1997.tex", marks=pytest.mark.thorough),
        "cited/1234.56789.gz",
        "some.tex",
    ],
)
def test_a_paper_beside_it_is_found_by_key_number_or_title(folder: Path, name: str) -> None:
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    content = CITED.encode()
    file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    found = only(read(folder))
    (source, *code) = found.sources
    assert (source.kind, source.name) == (SourceKind.FOLDER, name)
    assert all(one.kind is SourceKind.INSTALLED for one in code)
    (taken,) = found.taken
    assert (taken.requirement, taken.value) == ("learning_rate", "0.05")
    assert (taken.source, taken.quote[:12]) == (name, "We train wit")


def test_what_it_states_is_the_notebooks_value_with_its_place(folder: Path) -> None:
    (folder / "freund1997.tex").write_text(CITED, "utf-8")
    reading = read(folder)
    experiment = experiment_of(reading, (), source="new.tex", checksum="0" * 64)
    rate = next(one for one in experiment.parameters if one.requirement == "learning_rate")
    assert (rate.statement, rate.value) == (Statement.CITED, "0.05")
    assert rate.where.startswith("freund1997.tex, §")
    cell = skeleton(experiment).cell("assumptions")
    assert cell is not None
    (line,) = [line for line in cell.source.splitlines() if line.startswith("LEARNING_RATE")]
    assert line.startswith("LEARNING_RATE = 0.05  # from a cited work (freund1997.tex")


def test_missing_work_is_an_assumption_with_its_address(folder: Path) -> None:
    (folder / "notes.md").write_text("# Notes\n\nNothing.", "utf-8")
    (folder / "part.tex").write_text("We follow nobody.", "utf-8")
    found = only(read(folder))
    assert found.address == "https://arxiv.org/e-print/1234.56789"
    assert found.taken == ()
    assert {one.kind for one in found.sources} == {SourceKind.INSTALLED}


def test_what_leads_elsewhere_is_not_read(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "freund1997.tex").write_text(CITED, "utf-8")
    (folder / "freund1997.tex").symlink_to(outside / "freund1997.tex")
    (folder / "cited").symlink_to(outside, target_is_directory=True)
    assert only(read(folder)).taken == ()


def test_a_damaged_one_is_passed_over(folder: Path) -> None:
    (folder / "freund1997.pdf").write_bytes(b"%PDF-1.7 damaged")
    assert only(read(folder)).taken == ()


def test_what_was_fetched_is_used_where_nothing_lies_beside(folder: Path, tmp_path: Path) -> None:
    fetched = tmp_path / "fetched" / "content"
    fetched.parent.mkdir()
    fetched.write_bytes(gzip.compress(CITED.encode()))
    asked: list[str] = []

    def kept(address: str) -> Path | None:
        asked.append(address)
        return fetched

    reading = read(folder)
    (found,) = cited_works.with_sources(
        reading.lineage, reading.paper.references, folder / "new.tex", kept
    )
    assert asked == ["https://arxiv.org/e-print/1234.56789"]
    assert found.sources[0].kind is SourceKind.FETCHED
    assert found.taken[0].value == "0.05"


def test_libraries_naming_the_work_are_found_without_import() -> None:
    titles = {
        "a": TITLE,
        "b": "Boosting",
        "c": "A title that no library names",
    }
    found = code_citing(titles, libraries=("sklearn", "no_such_package"))
    names = [one.name for one in found["a"]]
    assert "sklearn.ensemble.AdaBoostClassifier" in names
    assert found["a"][0].version.startswith("scikit-learn ")
    assert "class AdaBoost" in found["a"][0].excerpt
    assert found["b"] == found["c"] == ()


def test_a_dropped_repository_comes_first_and_is_never_executed(folder: Path) -> None:
    repository = folder / "cited" / "their-code"
    (repository / "tests").mkdir(parents=True)
    title = TITLE.replace(" on-line", "\n    on-line")
    code = f'raise SystemExit\n\nclass Booster:\n    """From: {title}.\n    """\n'
    (repository / "boost.py").write_text(code, "utf-8")
    (repository / "old.py").write_text(f'print "{TITLE}"', "utf-8")
    (repository / "tests" / "test_boost.py").write_text(code, "utf-8")
    first = only(read(folder)).sources[0]
    assert (first.kind, first.name) == (SourceKind.FOLDER, "their-code/boost.py: Booster")
