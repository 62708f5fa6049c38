"""Every example through the command line: by rules alone, and with a model for the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mle_modernizer_server.cli.main import main
from tests.examples.test_examples import make_data
from tests.llm_server import Answer, LlmServer, Rule, scripted
from tests.values import worded

NOTEBOOKS = Path(__file__).parents[2] / "examples" / "notebooks"
FOR_RULES = {
    "biopsies_2016_stacking",
    "biopsies_2017_imputer_cascade",
    "biopsies_2021_lightgbm",
    "diabetes_2019_chained_assignment",
    "diabetes_2019_svr_default_gamma",
    "diabetes_2019_xgb_defaults",
    "digits_2018_svm_grid_search",
    "figure1_wine_xgboost_labels",
    "wine_2021_one_hot_forest",
}
FOR_A_MODEL = {"digits_2018_knn_slow_loop"}

LOOP = r"""=== PLAN ===
- the distances of all pairs of rows are computed row by row with NumPy
=== REPLACE CELL $CELL(^distances = )$ ===
a, b = test[pixels].values, train[pixels].values
distances = np.array([np.sqrt(((row - b) ** 2).sum(axis=1)) for row in a])
print(distances.shape, 'done')
=== END ===
"""


@pytest.fixture(scope="session")
def data_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_data(tmp_path_factory.mktemp("data"))


def modernized(
    name: str, data_root: Path, report: Path, *more: str
) -> tuple[int, dict[str, object]]:
    """Exit code and report of `jupyter modernize --auto`."""
    code = main(
        [
            str(NOTEBOOKS / f"{name}.ipynb"),
            "--auto",
            *("--data-root", str(data_root)),
            *("--report", str(report)),
            *more,
        ]
    )
    return code, json.loads(report.read_text())


def test_every_example_is_expected_to_be_mended_by_somebody() -> None:
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} == FOR_RULES | FOR_A_MODEL


@pytest.mark.process
@pytest.mark.thorough  # that of Figure 1 is always mended in a browser, one more in a container
@pytest.mark.parametrize("name", sorted(FOR_RULES))
def test_rules_alone_make_it_error_free_reproducible(
    name: str, data_root: Path, tmp_path: Path
) -> None:
    code, report = modernized(name, data_root, tmp_path / "r.json", "--fixer", "rules")
    assert code == 0, worded(report["message"])
    assert report["verdict"] == "reproduced"
    first, best = report["iterations"][0], report["iterations"][report["best"] - 1]
    assert "non-reproducible" in first["diagnosis"]["outcome"], "the example must fail today"
    assert best["diagnosis"]["outcome"] == "error-free-reproducible"
    assert best["grade"]["deviation"] <= 0.02


@pytest.mark.process
@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(FOR_A_MODEL))
def test_rules_alone_say_plainly_what_they_do_not_cover(
    name: str, data_root: Path, tmp_path: Path
) -> None:
    code, report = modernized(name, data_root, tmp_path / "r.json", "--fixer", "rules")
    assert code in (1, 3)
    assert report["verdict"] == "needs-time"
    assert "needs longer" in worded(report["message"])
    assert "No rule" in worded(report["details"])


@pytest.mark.process
@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(FOR_A_MODEL))
def test_model_for_the_rest_makes_it_error_free_reproducible(
    name: str, data_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLE_MODERNIZER_API_KEY", "not-a-real-key")
    with LlmServer(scripted([Rule("distances = np.array", Answer(text=LOOP))])) as server:
        code, report = modernized(
            name,
            data_root,
            tmp_path / "r.json",
            *("--fixer", "rules,llm"),
            *("--llm-base-url", server.base_url, "--llm-model", "scripted"),
        )
    assert code == 0, worded(report["message"])
    assert report["verdict"] == "reproduced"
    assert len(server.requests) == 1
    assert report["usage"]["output_tokens"] > 0
