"""`jupyter modernize kaggle`, through the real package, against a stand-in of Kaggle's site."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from mle_modernizer_server.cli.main import main
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.kaggle import submission
from tests.kaggle.site import DATA, NOTEBOOK, TOKEN, Site, archive

Captured = pytest.CaptureFixture[str]


def competition(root: Path, *more: str) -> int:
    return main(["kaggle", "competition", "houses", "--data-root", str(root), *more])


def late(csv: Path, *more: str) -> int:
    return main(["kaggle", "submit", str(csv), "--competition", "houses", *more])


@pytest.fixture
def csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(submission, "_FIRST_PAUSE", 0.01)
    file = tmp_path / "submission.csv"
    file.write_text("Id,price\n7,1\n8,2\n")
    return file


@pytest.mark.process
def test_nothing_of_kaggle_is_imported_at_our_start(nobody: Path) -> None:
    code = (
        "import sys, tests, mle_modernizer_server.extension, mle_modernizer_server.cli.main\n"
        "import mle_modernizer_server.cli.commands.kaggle\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('kaggle', 'kagglesdk')])"
    )
    environment = {**os.environ, "HOME": str(nobody)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
    assert not list(nobody.rglob("*kaggle*"))


def test_without_the_package_it_is_said_how_to_install_it(
    nobody: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setitem(sys.modules, "kaggle", None)
    assert competition(tmp_path) == 2
    assert "pip install 'mle-modernizer[kaggle]'" in capsys.readouterr().err


def test_without_a_token_it_is_said_where_to_get_one(
    nobody: Path, tmp_path: Path, capsys: Captured
) -> None:
    assert competition(tmp_path / "data") == 2
    told = capsys.readouterr()
    assert "https://www.kaggle.com/settings/api" in told.err
    assert told.out == ""
    assert not (tmp_path / "data").exists()


def test_a_token_that_is_not_accepted_is_named(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("KAGGLE_API_TOKEN", "KGAT_old")
    assert competition(tmp_path) == 2
    told = capsys.readouterr().err
    assert "rejects the token in KAGGLE_API_TOKEN" in told
    assert "KGAT_old" not in told


def test_without_a_network_it_is_said(site: Site, tmp_path: Path, capsys: Captured) -> None:
    from kagglesdk import kaggle_env

    kaggle_env._env_to_endpoint[kaggle_env.KaggleEnv.PROD] = "http://127.0.0.1:9"
    assert competition(tmp_path) == 3
    assert "cannot be reached" in capsys.readouterr().err


@pytest.mark.parametrize("where", ["environment", "file"])
def test_an_older_key_is_as_good(
    where: str, site: Site, tmp_path: Path, nobody: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    if where == "environment":
        monkeypatch.setenv("KAGGLE_USERNAME", "me")
        monkeypatch.setenv("KAGGLE_KEY", "secret")
    else:
        (nobody / ".kaggle").mkdir()
        file = nobody / ".kaggle" / "kaggle.json"
        file.write_text(json.dumps({"username": "me", "key": "secret"}))
        file.chmod(0o600)
    assert competition(tmp_path) == 0
    assert site.tokens == {"Basic bWU6c2VjcmV0"}


def test_a_competition_is_fetched_into_the_data_root(
    site: Site, tmp_path: Path, capsys: Captured, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    assert competition(tmp_path) == 0
    told = capsys.readouterr()
    assert "Fetched 3 files" in told.out
    assert "Metric: rmse" in told.out
    assert "Kaggle keeps the answers" in told.out
    public = tmp_path / "houses" / "prepared" / "public"
    assert {path.name: path.read_text() for path in public.glob("*.csv")} == {
        name: text for name, text in DATA.items() if "/" not in name
    }
    assert (public / "images" / "1.txt").read_text() == "one"
    description = Competitions(tmp_path).description("houses")
    assert "Guess <b>prices</b>." in description
    assert "Do not." not in description
    there = Competitions(tmp_path).get("houses")
    assert (there.metric.value, there.id_columns, there.target_columns) == (
        "rmse",
        ("Id",),
        ("price",),
    )
    assert not (tmp_path / "houses" / "prepared" / "private").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == ["houses"]
    assert TOKEN not in told.out + told.err + caplog.text
    assert site.tokens <= {"", f"Bearer {TOKEN}"}


def test_its_address_is_as_good_as_its_name(site: Site, tmp_path: Path) -> None:
    address = "https://www.kaggle.com/competitions/houses/overview"
    assert main(["kaggle", "competition", address, "--data-root", str(tmp_path)]) == 0
    assert (tmp_path / "houses").is_dir()


def test_a_metric_of_kaggles_that_is_none_of_ours_can_be_named(
    site: Site, tmp_path: Path, capsys: Captured
) -> None:
    site.metric = "Something New"
    assert competition(tmp_path) == 0
    assert "Kaggle's metric (Something New)" in capsys.readouterr().out
    assert not (tmp_path / "houses" / "competition.yaml").exists()
    assert competition(tmp_path, "--metric", "mae", "--force") == 0
    written = yaml.safe_load((tmp_path / "houses" / "competition.yaml").read_text())
    assert written["metric"] == "mae"


def test_data_that_is_there_is_replaced_only_by_force(
    site: Site, tmp_path: Path, capsys: Captured
) -> None:
    assert competition(tmp_path) == 0
    kept = tmp_path / "houses" / "prepared" / "public" / "train.csv"
    kept.write_text("mine")
    assert competition(tmp_path) == 2
    assert "--force" in capsys.readouterr().err
    assert kept.read_text() == "mine"
    assert competition(tmp_path, "--force") == 0
    assert kept.read_text() == DATA["train.csv"]


def test_prepared_data_with_answers_is_never_replaced(
    site: Site, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "houses" / "prepared" / "private").mkdir(parents=True)
    assert competition(tmp_path, "--force") == 2
    assert "holds its own answers" in capsys.readouterr().err
    assert site.asked[-1][0] == "IntrospectToken"


@pytest.mark.parametrize(
    ("status", "headers", "code", "words"),
    [
        (403, {}, 2, "https://www.kaggle.com/competitions/houses/rules"),
        (404, {}, 2, "Kaggle does not know the competition houses"),
        (401, {}, 2, "rejects your token"),
        (429, {"Retry-After": "17"}, 3, "Try again in 17 s"),
        (429, {}, 3, "Try again in a few minutes"),
        (429, {"Retry-After": "99999999999"}, 3, "Try again in a few minutes"),
        (503, {}, 3, "server problem (503)"),
        (400, {}, 2, "(400): It is refused"),
    ],
)
def test_what_kaggle_refuses_is_said_in_one_sentence(
    site: Site,
    tmp_path: Path,
    capsys: Captured,
    status: int,
    headers: dict[str, str],
    code: int,
    words: str,
) -> None:
    site.refusals["GetCompetition"] = [(status, headers)]
    assert competition(tmp_path) == code
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1
    assert TOKEN not in told


@pytest.mark.parametrize(
    "data", [b"no zip", archive({"../evil": "x"})], ids=["no zip", "outside its folder"]
)
def test_of_data_with_traps_nothing_stays(
    site: Site, tmp_path: Path, data: bytes, capsys: Captured
) -> None:
    site.data = data
    assert competition(tmp_path / "data") == 2
    assert list((tmp_path / "data").iterdir()) == []


def test_a_download_that_breaks_off_leaves_nothing(
    site: Site, tmp_path: Path, capsys: Captured
) -> None:
    site.cut = 5
    assert competition(tmp_path / "data") == 3
    assert list((tmp_path / "data").iterdir()) == []


def test_where_nothing_can_be_written_it_is_said(
    site: Site, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "data").write_text("a file")
    assert competition(tmp_path / "data") == 2
    assert "cannot be written below" in capsys.readouterr().err


def test_data_larger_than_the_bound_is_not_fetched(
    site: Site, tmp_path: Path, capsys: Captured
) -> None:
    assert competition(tmp_path / "data", "--max-size", "20b") == 2
    assert "--max-size" in capsys.readouterr().err
    assert list((tmp_path / "data").iterdir()) == []


def test_a_notebook_comes_with_its_metadata(site: Site, tmp_path: Path, capsys: Captured) -> None:
    assert main(["kaggle", "notebook", "me/old", "--into", str(tmp_path / "a")]) == 0
    assert "jupyter modernize kaggle competition houses" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == [
        "kernel-metadata.json",
        "old.ipynb",
    ]
    assert json.loads((tmp_path / "a" / "old.ipynb").read_text()) == NOTEBOOK
    metadata = json.loads((tmp_path / "a" / "kernel-metadata.json").read_text())
    assert metadata["competition_sources"] == ["houses"]
    assert metadata["title"] == "LB 0.12"
    assert metadata["code_file"] == "old.ipynb"
    assert metadata["enable_gpu"] is True


def test_a_notebook_that_exists_is_not_overwritten(
    site: Site, tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "old.ipynb"
    file.write_text("mine")
    assert main(["kaggle", "notebook", "me/old", "--into", str(tmp_path)]) == 2
    assert file.read_text() == "mine"
    assert main(["kaggle", "notebook", "me/old", "--into", str(tmp_path), "--force"]) == 0
    assert json.loads(file.read_text()) == NOTEBOOK


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        ({"kernelType": "script"}, "is a script, not a notebook"),
        ({"source": "print(1)"}, "contains no notebook"),
        ({"source": "[1]"}, "contains no notebook"),
        (
            {
                "source": json.dumps(
                    {**NOTEBOOK, "metadata": {"kernelspec": {"name": "ir", "language": "R"}}}
                )
            },
            "only Python notebooks",
        ),
    ],
)
def test_what_is_no_python_notebook_is_not_written(
    site: Site, tmp_path: Path, capsys: Captured, kernel: dict[str, str], words: str
) -> None:
    site.kernel = kernel
    assert main(["kaggle", "notebook", "me/old", "--into", str(tmp_path / "a")]) in (2, 3)
    assert words in capsys.readouterr().err
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("name", ["me", "me/", "/x", "me/a/b", "../a", "me/..", "me/a b"])
def test_a_name_that_is_none_is_wrong_usage(name: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit):
        main(["kaggle", "notebook", name])
    assert "OWNER/SLUG" in capsys.readouterr().err


def test_a_late_submission_waits_for_its_scores(site: Site, csv: Path, capsys: Captured) -> None:
    done = {"status": "COMPLETE", "publicScore": "0.125", "privateScore": "0.25"}
    site.submissions = [{"status": "PENDING"}, {"status": "PENDING"}, done]
    assert late(csv, "--yes", "--target-score", "0.13") == 0
    told = capsys.readouterr()
    assert "Public score: 0.125" in told.out
    assert "Private score: 0.25" in told.out
    assert "inside the band" in told.out
    assert "waiting for the score" in told.err
    assert site.uploaded == csv.read_bytes()
    [sent] = [asked for method, asked in site.asked if method == "CreateSubmission"]
    assert sent["competitionName"] == "houses"
    assert sent["blobFileTokens"] == "blob"
    assert "secret" not in told.out + told.err


def test_the_target_is_compared_with_the_board_it_is_of(
    site: Site, csv: Path, capsys: Captured
) -> None:
    site.submissions = [{"status": "COMPLETE", "publicScore": "0.125", "privateScore": "0.25"}]
    assert late(csv, "--yes", "--target-score", "0.13", "--board", "private", "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert told["public"] == 0.125
    assert told["private"] == 0.25
    assert told["deviation"] == pytest.approx(0.12 / 0.13)
    assert told["within_threshold"] is False


def test_a_score_kaggle_keeps_is_not_made_up(site: Site, csv: Path, capsys: Captured) -> None:
    site.submissions = [{"status": "COMPLETE", "publicScore": "0.125", "privateScore": ""}]
    assert late(csv, "--yes") == 0
    assert "Private score: not told by Kaggle" in capsys.readouterr().out


def test_nothing_is_sent_without_asking(site: Site, csv: Path, capsys: Captured) -> None:
    assert late(csv) == 2
    assert "--yes" in capsys.readouterr().err
    assert site.asked == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")
@pytest.mark.parametrize(
    ("answer", "code"), [("n", 2), pytest.param("", 2, marks=pytest.mark.thorough), ("y", 0)]
)
def test_on_a_terminal_it_asks(site: Site, csv: Path, answer: str, code: int) -> None:
    from tests.cli.terminal import Terminal

    site.submissions = [{"status": "COMPLETE", "publicScore": "0.5"}]
    program = (
        "import sys\n"
        "from kagglesdk import kaggle_env\n"
        f"kaggle_env._env_to_endpoint[kaggle_env.KaggleEnv.PROD] = {site.url!r}\n"
        "from mle_modernizer_server.cli.main import main\n"
        f"sys.exit(main(['kaggle', 'submit', {str(csv)!r}, '--competition', 'houses']))"
    )
    terminal = Terminal([sys.executable, "-c", program])
    terminal.until("as a submission to Houses?")
    terminal.type(answer)
    assert terminal.end() == code
    assert ("Public score: 0.5" in terminal.shown) == (code == 0)
    assert ("CreateSubmission" in [method for method, _ in site.asked]) == (code == 0)


def test_a_gap_while_waiting_does_no_harm(site: Site, csv: Path) -> None:
    site.refusals["GetSubmission"] = [(503, {}), (429, {})]
    site.submissions = [{"status": "COMPLETE", "publicScore": "1"}]
    assert late(csv, "--yes") == 0


def test_waiting_ends(site: Site, csv: Path, capsys: Captured) -> None:
    site.submissions = [{"status": "PENDING"}]
    assert late(csv, "--yes", "--wait", "0.2") == 3
    assert "The submission 42 has not been scored" in capsys.readouterr().err


def test_a_submission_kaggle_cannot_score_says_why(site: Site, csv: Path, capsys: Captured) -> None:
    site.submissions = [{"status": "ERROR", "errorDescription": "Column\x1b[2J price missing"}]
    assert late(csv, "--yes") == 2
    told = capsys.readouterr().err
    assert "price missing" in told
    assert "\x1b" not in told


def test_an_upload_that_fails_submits_nothing(site: Site, csv: Path, capsys: Captured) -> None:
    site.upload_status = 400
    assert late(csv, "--yes") == 3
    assert "Nothing was submitted" in capsys.readouterr().err
    assert "CreateSubmission" not in [method for method, _ in site.asked]


def test_a_competition_of_notebooks_takes_no_csv(site: Site, csv: Path, capsys: Captured) -> None:
    site.notebooks_only = True
    assert late(csv, "--yes") == 2
    assert "accepts only notebooks" in capsys.readouterr().err


def test_cancelling_says_where_the_submission_is(
    site: Site, csv: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ctrl_c(seconds: float) -> None:
        raise KeyboardInterrupt

    site.submissions = [{"status": "PENDING"}]
    monkeypatch.setattr("time.sleep", ctrl_c)
    assert late(csv, "--yes") == 130
    told = capsys.readouterr().err
    assert "The submission 42 is at Kaggle" in told
    assert "Cancelled." in told
