"""Verdicts on built sessions: no kernel, no model."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.diagnosis import ErrorKind, Finding, FixType, Outcome
from mle_modernizer_server.domain.execution import CellError, CellStatus, Ending
from mle_modernizer_server.domain.grade import Grade, ScoreKind, Trap
from mle_modernizer_server.domain.message import coded, verbatim
from mle_modernizer_server.domain.model_calls import Bound, Budget, Spending
from mle_modernizer_server.domain.notebook import CellAgreement, OutputAgreement, OutputMatch
from mle_modernizer_server.domain.proposal import Origin
from mle_modernizer_server.domain.session import (
    CleanRun,
    Iteration,
    Phase,
    Review,
    Session,
    Verdict,
)
from mle_modernizer_server.domain.settings import SessionSettings
from mle_modernizer_server.domain.verification import (
    RepeatedRun,
    Verification,
    VerificationKind,
)
from mle_modernizer_server.grading.distance import with_deviation
from mle_modernizer_server.words import text
from mle_modernizer_server.workflow.fix.beyond_edits import (
    beyond_edits,
    external_data,
    no_way_to_run,
)
from mle_modernizer_server.workflow.fix.propose import NoProposal, attempts
from mle_modernizer_server.workflow.log import events
from mle_modernizer_server.workflow.run.environment import missing_modules
from mle_modernizer_server.workflow.study.verification import verdict_after_verifying
from mle_modernizer_server.workflow.verdict.endings import (
    ending_of_check,
    ending_without_budget,
    ending_without_fix,
)
from mle_modernizer_server.workflow.verdict.final_verdict import ADVICE, Repeats, final_verdict
from mle_modernizer_server.workflow.verdict.progress import (
    Stalled,
    best,
    idle_fixes,
    rounds,
    stalled,
)
from tests import values

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
OK, ERROR = CellStatus.OK, CellStatus.ERROR


def graded(score: float | None, target: float | None = 0.9, **more: Any) -> Grade:
    known = values.grade(None, target).model_copy(
        update={"score": score, "metric": Metric.ROC_AUC, **more}
    )
    return with_deviation(known)


def failing(ename: str, evalue: str, cell: int = 1, line: int = 1, code: str = "x") -> Finding:
    error = CellError(
        cell_id=f"c{cell}",
        index=cell,
        ename=ename,
        evalue=evalue,
        traceback=(f"\x1b[0;32m----> {line}\x1b[0m {code}",),
        raised=True,
        line=line,
    )
    return Finding(kind=ErrorKind.ROOT, error=error)


def run(
    grade: Grade | None = None,
    *findings: Finding,
    number: int = 1,
    ending: Ending = Ending.COMPLETED,
    cells: tuple[CellStatus, ...] | None = None,
    changed: int = 0,
    origin: Origin | None = None,
) -> CleanRun:
    grade = grade or graded(None)
    reproduced, failed = grade.within_threshold, bool(findings)
    outcome = {
        (True, False): Outcome.ERROR_FREE_REPRODUCIBLE,
        (True, True): Outcome.ERROR_REPRODUCIBLE,
        (False, False): Outcome.ERROR_FREE_NON_REPRODUCIBLE,
        (False, True): Outcome.ERROR_NON_REPRODUCIBLE,
    }[reproduced, failed]
    statuses = cells or ((OK, ERROR) if failed else (OK, OK))
    diagnosis = values.diagnosis(outcome, FixType.ERROR_REPAIR)
    return CleanRun(
        number=number,
        started_at=NOW,
        notebook_hash=str(number),
        execution=values.execution(*statuses, ending=ending),
        grade=grade,
        diagnosis=diagnosis.model_copy(update={"findings": findings}),
        changed_lines=changed,
        origin=origin,
    )


def session(*iterations: Iteration) -> Session:
    return Session(
        id="s",
        path="a.ipynb",
        created_at=NOW,
        updated_at=NOW,
        seq=1,
        phase=Phase.FINISHED,
        settings=SessionSettings(competition="titanic"),
        notebook_hash="1",
        iterations=iterations,
    )


ATTRIBUTE = failing("AttributeError", "no append")
NO_FIX, NO_PROGRESS = Verdict.NO_FIX, Verdict.NO_PROGRESS


@pytest.mark.parametrize(
    ("iteration", "stopped", "verdict"),
    [
        (run(graded(0.9)), None, Verdict.REPRODUCED),
        (run(graded(0.9), ATTRIBUTE), None, Verdict.REPRODUCED),
        (run(graded(0.7, 0.6)), None, Verdict.ABOVE_TARGET),
        (run(graded(0.6)), NO_FIX, Verdict.BELOW_TARGET),
        (run(graded(0.6)), NO_PROGRESS, Verdict.BELOW_TARGET),
        (run(graded(0.6)), Verdict.BUDGET_SPENT, Verdict.BUDGET_SPENT),
        (run(graded(None), ATTRIBUTE), NO_FIX, NO_FIX),
        (run(graded(None, None)), NO_FIX, None),
        (run(graded(None, None), ATTRIBUTE), NO_FIX, NO_FIX),
        (run(graded(None), ATTRIBUTE), NO_PROGRESS, NO_PROGRESS),
        (run(graded(None), ATTRIBUTE), Verdict.AWAITS_YES, Verdict.AWAITS_YES),
        # the target is a prediction without knowledge
        (run(graded(0.8, 0.5, baseline=0.5)), None, Verdict.TARGET_IMPLAUSIBLE),
        (run(graded(0.8, 0.5, floor=0.5)), None, Verdict.TARGET_IMPLAUSIBLE),
        (run(graded(0.8, 1.7)), NO_FIX, Verdict.TARGET_IMPLAUSIBLE),
        (run(graded(0.8, -1.0)), NO_FIX, Verdict.TARGET_IMPLAUSIBLE),
        # of another kind, scale or direction
        (run(graded(0.8, 81.0)), NO_FIX, Verdict.GRADER_MISMATCH),
        (run(graded(0.2, 0.8)), NO_FIX, Verdict.GRADER_MISMATCH),
        (run(graded(0.75, 0.5)), None, Verdict.GRADER_MISMATCH),
        (
            run(graded(4.0, 2.0, metric=Metric.MSE, higher_is_better=False)),
            NO_FIX,
            Verdict.GRADER_MISMATCH,
        ),
        (run(graded(0.8, target_kind=ScoreKind.PRINTED)), None, Verdict.GRADER_MISMATCH),
        (
            run(graded(0.6, traps=(Trap(what="Rounded.", corrected=0.9),))),
            NO_FIX,
            Verdict.GRADER_MISMATCH,
        ),
    ],
)
def test_verdicts_by_score(
    iteration: Iteration, stopped: Verdict | None, verdict: Verdict | None
) -> None:
    assert final_verdict(session(iteration), stopped=stopped) is verdict


@pytest.mark.parametrize(
    ("finding", "verdict"),
    [
        (
            failing(
                "FileNotFoundError", "[Errno 2] No such file or directory: '../input/glove/g.txt'"
            ),
            Verdict.NEEDS_EXTERNAL_DATA,
        ),
        (
            failing("FileNotFoundError", "[Errno 2] No such file or directory: 'weights.h5'"),
            Verdict.NEEDS_EXTERNAL_DATA,
        ),
        (failing("URLError", "<urlopen error [Errno -3]>"), Verdict.NEEDS_EXTERNAL_DATA),
        (
            failing("Exception", "URL fetch failure on https://x: None -- name resolution"),
            Verdict.NEEDS_EXTERNAL_DATA,
        ),
        # the competition's own files: a path to mend
        (
            failing(
                "FileNotFoundError", "[Errno 2] No such file or directory: '../input/train.csv'"
            ),
            NO_FIX,
        ),
        (
            failing(
                "FileNotFoundError", "No such file or directory: '/kaggle/input/titanic/t.csv'"
            ),
            NO_FIX,
        ),
        (failing("ModuleNotFoundError", "No module named 'mxnet'"), Verdict.CANNOT_RUN),
        (failing("ImportError", "`Import openpyxl` failed.  Use pip …"), Verdict.CANNOT_RUN),
        (failing("ImportError", "cannot import name 'x' from 'sklearn'"), NO_FIX),
        (failing("SyntaxError", "invalid syntax"), Verdict.CANNOT_RUN),
        (failing("ValueError", "shapes do not fit"), NO_FIX),
    ],
)
def test_verdicts_by_errors(finding: Finding, verdict: Verdict) -> None:
    assert final_verdict(session(run(graded(None), finding)), stopped=NO_FIX) is verdict


def test_a_kernel_that_dies_before_the_first_cell_cannot_run() -> None:
    dead = run(ending=Ending.KERNEL_DIED, cells=(CellStatus.UNFINISHED, CellStatus.NOT_RUN))
    assert final_verdict(session(dead), stopped=NO_FIX) is Verdict.CANNOT_RUN


@pytest.mark.parametrize(
    ("score", "noise", "verdict"),
    [
        (0.9, Repeats(scores=(0.89, 0.91)), Verdict.REPRODUCED),
        (0.9, Repeats(scores=(0.6, 0.91)), Verdict.NON_DETERMINISTIC),
        (0.9, Repeats(scores=(0.6, 0.5)), Verdict.NON_DETERMINISTIC),
        (0.6, Repeats(scores=(0.91, 0.5), consistent=False), Verdict.NON_DETERMINISTIC),
        (0.78, Repeats(scores=(0.83, 0.79), consistent=True), Verdict.WITHIN_NOISE),
        (0.6, Repeats(scores=(0.61, 0.6), consistent=False), Verdict.BELOW_TARGET),
    ],
)
def test_verdicts_with_measured_noise(score: float, noise: Repeats, verdict: Verdict) -> None:
    one = session(run(graded(score)))
    stopped = None if score == 0.9 else NO_PROGRESS
    assert final_verdict(one, stopped=stopped, noise=noise) is verdict


def test_every_verdict_has_advice_or_needs_none() -> None:
    assert set(ADVICE) == set(Verdict)


def test_without_a_run_or_a_target_there_is_no_verdict() -> None:
    assert final_verdict(session(), stopped=NO_FIX) is None
    assert final_verdict(session(run(graded(0.6, None)))) is None


def test_noise_measured_after_the_end_gives_the_verdict_anew() -> None:
    ended = session(run(graded(0.78))).model_copy(update={"verdict": Verdict.BELOW_TARGET})
    assert final_verdict(ended) is Verdict.BELOW_TARGET
    noise = Repeats(scores=(0.83, 0.79), consistent=True)
    assert final_verdict(ended, noise=noise) is Verdict.WITHIN_NOISE


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ((0.9, 0.91, 0.6), Verdict.NON_DETERMINISTIC),
        ((0.9, 0.91, 0.89), Verdict.REPRODUCED),
        ((0.9, None), Verdict.REPRODUCED),
    ],
)
def test_verification_on_both_sides_of_the_band_is_reported(
    scores: tuple[float | None, ...], verdict: Verdict
) -> None:
    one = session(run(graded(0.9)))
    runs = tuple(
        RepeatedRun(
            number=number,
            outcome=Outcome.ERROR_FREE_REPRODUCIBLE,
            score=score,
            within_threshold=True,
            seconds=1,
        )
        for number, score in enumerate(scores, start=1)
    )
    said = Verification(
        kind=VerificationKind.STRICT,
        notebook_hash=one.notebook_hash,
        iteration=1,
        asked=len(runs),
        runs=runs,
        done=True,
    )
    update = {"verification": said, "verdict": Verdict.REPRODUCED, "phase": Phase.FINISHED}
    assert verdict_after_verifying(one.model_copy(update=update)) is verdict


def test_a_fixer_is_told_what_each_alternative_led_to() -> None:
    def tried(name: str) -> Review:
        fix = values.proposal(values.modification("c0", "a", name), name=name)
        return Review(proposal=fix.model_copy(update={"plan": verbatim(name)}), adopted=True)

    first = run(None, ATTRIBUTE).model_copy(update={"reviews": (tried("p"), tried("q"))})
    one = run(None, ATTRIBUTE, number=2, origin=Origin(proposal="p", number=1, of=2))
    two = run(graded(0.9), number=3, origin=Origin(proposal="q", number=2, of=2))
    told = {text(item.plan): text(item.result) for item in attempts(session(first, one, two))}
    assert told == {"p": "error-non-reproducible", "q": "error-free-reproducible"}
    # a fix that was not run to its end
    left = attempts(session(first, two))[0]
    assert (text(left.plan), text(left.result)) == ("p", "It was not run to completion.")


def test_fewest_changes_win_unless_another_came_further() -> None:
    first, same = run(None, ATTRIBUTE), run(None, ATTRIBUTE, number=2, changed=4)
    assert best((first, same)).number == 1
    later = failing("AttributeError", "no ix", line=9, code="y")
    further = run(None, later, number=3, changed=6)
    assert best((first, same, further)).number == 3
    shifted = failing("AttributeError", "no append", line=3, code="x")
    moved = run(None, shifted, number=4, changed=2)
    assert best((first, moved)).number == 1, "a line inserted above is no progress"
    close, far = run(graded(0.7), number=5, changed=9), run(graded(0.6), number=6, changed=1)
    assert best((far, close)).number == 5, "the deviation counts before the changes"


OLD_CALL = "figure(plot_width=9, plot_height=9, tools=TOOLS)"
NEW_CALL = "figure(width=9, height=9, tools=TOOLS)"


@pytest.mark.parametrize(
    ("before", "after", "message", "further"),
    [
        (OLD_CALL, NEW_CALL, "unexpected tool name 'previewsave'", True),
        (OLD_CALL, "figure(width=9, plot_height=9)", "unexpected attribute 'plot_height'", True),
        (OLD_CALL, "figure(widths=9, tools=TOOLS)", "unexpected attribute 'widths'", False),
        (OLD_CALL, OLD_CALL.upper(), "unexpected attribute 'plot_width'", False),
    ],
    ids=["value", "next name", "another wrong name", "same"],
)
def test_later_failure_in_the_same_line_came_further(
    before: str, after: str, message: str, further: bool
) -> None:
    wrong = "unexpected attribute 'plot_width' to figure"
    first = run(None, failing("AttributeError", wrong, code=before))
    then = run(None, failing("AttributeError", message, code=after), number=2, changed=3)
    assert best((first, then)).number == (2 if further else 1)


def test_circles_are_told_from_runs() -> None:
    first = run(None, ATTRIBUTE)
    assert stalled([first], 0, 3) is None
    same = run(None, ATTRIBUTE, number=2, changed=1)
    assert stalled([first, same], idle_fixes([first, same]), 3) is Stalled.SAME_ERRORS
    other = run(None, failing("KeyError", "'a'", cell=0), number=2)
    assert stalled([first, other], 1, 3) is None
    assert stalled([first, other], 3, 3) is Stalled.NO_PROGRESS
    still = [run(graded(0.6)), run(graded(0.6), number=2, changed=2)]
    assert stalled(still, 1, 3) is Stalled.SAME_SCORE
    nearer = [run(graded(0.6)), run(graded(0.600001), number=2, changed=2)]
    assert stalled(nearer, 0, 3) is None


def test_alternatives_of_one_round_count_once() -> None:
    first = run(None, ATTRIBUTE)
    one = run(graded(0.9), number=2, origin=Origin(proposal="p", number=1, of=2))
    two = run(None, ATTRIBUTE, number=3, origin=Origin(proposal="q", number=2, of=2))
    assert [item.number for item in rounds((first, one, two))] == [1, 2]


@pytest.mark.parametrize(
    ("budget", "spending", "bound"),
    [
        (Budget(), Spending(fixes=99, tokens=10**9, usd=1e6, seconds=1e9), None),
        (Budget(fixes=0), Spending(), Bound.FIXES),
        (Budget(tokens=10), Spending(tokens=9), None),
        (Budget(tokens=10), Spending(tokens=10), Bound.TOKENS),
        (Budget(usd=0.5), Spending(usd=0.5), Bound.MONEY),
        (Budget(usd=0.5), Spending(usd=None), None),
        (Budget(seconds=60), Spending(seconds=61), Bound.TIME),
    ],
)
def test_budgets(budget: Budget, spending: Spending, bound: Bound | None) -> None:
    assert budget.spent(spending) is bound


@pytest.mark.parametrize(
    ("ename", "evalue"),
    [
        ("FileNotFoundError", "[Errno 2] No such file or directory: 'dot'"),
        ("ExecutableNotFound", "failed to execute PosixPath('dot'), make sure the Graphviz"),
        ("InvocationException", "GraphViz's executables not found"),
    ],
)
def test_a_program_that_is_not_installed_is_no_data_file(ename: str, evalue: str) -> None:
    seen = run(None, failing(ename, evalue))
    assert final_verdict(session(seen), stopped=NO_FIX) is Verdict.CANNOT_RUN
    assert external_data(seen, "titanic") is None
    found = no_way_to_run(seen)
    assert found is not None
    assert "The program `dot` is not installed" in text(found.what)


@pytest.mark.parametrize("missing", ["google", "google.colab"])
def test_module_of_a_hosting_service_needs_no_environment(missing: str) -> None:
    code = "from \x1b[34mgoogle\x1b[0m\x1b[34m.\x1b[0mcolab import drive"
    seen = run(None, failing("ModuleNotFoundError", f"No module named '{missing}'", code=code))
    found = no_way_to_run(seen)
    assert found is not None
    assert text(found.what) == "`google.colab` exists only on Google Colab."
    assert "Remove the lines that use it" in text(found.advice)
    assert missing_modules(seen) == ()


@pytest.mark.parametrize(
    ("ename", "evalue", "what", "command"),
    [
        (
            "LookupError",
            "\n***\n  Resource \x1b[93mpunkt_tab\x1b[0m not found.\n  Please use the NLTK",
            "punkt_tab from nltk",
            'nltk_data" punkt_tab)',
        ),
        (
            "LookupError",
            "\n***\n  Resource 'stopwords' not found.  Please use the NLTK Downloader to obtain",
            "stopwords from nltk",
            'nltk_data" stopwords)',
        ),
        (
            "OSError",
            "[E050] Can't find model 'en_core_web_sm'. It doesn't seem to be a Python package",
            "en_core_web_sm from spacy",
            "spacy download en_core_web_sm",
        ),
    ],
)
def test_missing_library_data_are_named_with_the_installer(
    ename: str, evalue: str, what: str, command: str
) -> None:
    found = external_data(run(None, failing(ename, evalue)), None)
    assert found is not None
    assert what in text(found.what)
    assert command in text(found.advice)


MISSING = failing("FileNotFoundError", "[Errno 2] No such file or directory: 'wine.csv'")
OFFLINE = failing("URLError", "<urlopen error [Errno -3] Temporary failure in name resolution>")
NO_DATA_OF_NLTK = failing("LookupError", "Resource punkt not found. Use the NLTK Downloader")
RENAMED = failing("AttributeError", "'DataFrame' object has no attribute 'ix'")


@pytest.mark.parametrize(
    ("errors", "listed", "meant", "beyond"),
    [
        ((MISSING,), "", (), True),
        ((OFFLINE,), "train.csv", (), True),
        ((NO_DATA_OF_NLTK, MISSING), "", (), True),
        ((MISSING, RENAMED), "", (), False),
        ((RENAMED,), "", (), False),
        ((), "", (), False),
        # one of the competition's files of this kind may be meant
        ((MISSING,), "train.csv: 3 columns", (), False),
        ((MISSING,), "pictures/1.png", (), True),
        # so may one that was found beside the notebook
        ((MISSING,), "", (MISSING.error.cell_id,), False),
    ],
)
def test_no_edit_can_provide_what_lies_nowhere(
    errors: tuple[Finding, ...], listed: str, meant: tuple[str, ...], beyond: bool
) -> None:
    execution = run(None, *errors).execution
    assert execution is not None
    found = beyond_edits(execution, errors, "wines", listed=listed, meant=meant)
    assert found is beyond


@pytest.mark.parametrize(
    ("file", "advice"),
    [
        ("/venv/lib/python3.11/site-packages/sklearn/datasets/_base.py", "scikit-learn downloads"),
        (
            "/venv/lib/python3.11/site-packages/torchvision/datasets/utils.py",
            "torchvision downloads",
        ),
        ("/venv/lib/python3.11/site-packages/datasets/load.py", "Hugging Face downloads"),
        ("C:\\venv\\site-packages\\transformers\\utils\\hub.py", "Hugging Face downloads"),
        ("/venv/lib/python3.11/site-packages/torch/hub.py", "Fetch the weights"),
        ("/lib/torchvision/models/resnet.py:9\nFile /lib/torch/hub.py", "Fetch the weights"),
        ("/venv/lib/python3.11/site-packages/keras/src/datasets/mnist.py", "Fetch the file"),
        ("/home/me/datasets/mine.py", "Fetch the file"),
    ],
)
def test_other_library_downloads_have_their_own_next_step(file: str, advice: str) -> None:
    finding = failing("URLError", "<urlopen error [Errno -3] Temporary failure>")
    traceback = (f"File {file}:85, in fetch(url)", *finding.error.traceback)
    error = finding.error.model_copy(update={"traceback": traceback})
    found = external_data(run(None, finding.model_copy(update={"error": error})), None)
    assert found is not None
    assert text(found.advice).startswith(advice)


def _told(rested: events.Rested) -> tuple[str, str]:
    return text(rested.message), text(rested.details)


NONE_FITS = NoProposal(
    reasons=coded("rules.none", other=()) + verbatim("No language model is configured."),
    failed=False,
    circular=False,
)


def test_obstacle_comes_first_and_the_rest_is_details() -> None:
    seen = run(None, failing("ModuleNotFoundError", "No module named 'xgboost'"))
    message, details = _told(ending_without_fix((seen,), None, NONE_FITS))
    assert message == (
        "Cell 2 fails. `xgboost` is not installed where the notebook runs. Have an environment "
        "with it made for this notebook, or select one that has it, and run again."
    )
    assert "No rule applies" in details
    assert "No language model" in details
    assert "No language model" not in message


def test_unknown_module_may_be_the_users_own_code() -> None:
    seen = run(None, failing("ModuleNotFoundError", "No module named 'acme_features'"))
    message, _ = _told(ending_without_fix((seen,), None, NONE_FITS))
    assert message == (
        "Cell 2 fails. `acme_features` is not installed where the notebook runs. If it is your "
        "own code, put acme_features.py into the notebook's folder. Otherwise have an "
        "environment with its package made for this notebook; then run again."
    )


def test_an_error_without_a_fix_is_named_with_its_cell() -> None:
    seen = run(None, failing("KeyError", "'Age'"))
    message, details = _told(ending_without_fix((seen,), None, NONE_FITS))
    assert message.startswith("It stops first in cell 2: KeyError: 'Age'. Fix ")
    assert message.count("KeyError") == 1
    assert details.count("No rule applies") == 1


def test_failing_own_module_is_named_in_the_next_step() -> None:
    found = failing("AttributeError", "module 'matplotlib.cm' has no attribute 'get_cmap'")
    frames = (
        "Cell In[2], line 1",
        "----> 1 visuals.draw(x)",
        "File /kaggle/working/visuals.py:65, in draw(x)",
        "---> 65 cmap = cm.get_cmap('gist_rainbow')",
    )
    error = found.error.model_copy(update={"traceback": frames})
    seen = run(None, found.model_copy(update={"error": error}))
    message, _ = _told(ending_without_fix((seen,), None, NONE_FITS))
    assert message.endswith(" Change visuals.py by hand, or ask another fixer.")


def test_where_the_original_failed_too_it_is_said_at_once() -> None:
    seen = run(None, failing("KeyError", "'Age'"))
    cell_id = seen.require_diagnosis().findings[0].error.cell_id
    for match, told in ((OutputMatch.SAME, True), (OutputMatch.FAILED, False)):
        cell = CellAgreement(cell_id=cell_id, ordinal=2, match=match)
        agreement = OutputAgreement(cells=(cell,))
        ran = seen.model_copy(update={"agreement": agreement})
        message, _ = _told(ending_without_fix((ran,), None, NONE_FITS))
        too = "The original failed there too: its saved output shows a KeyError."
        assert (too in message) is told, match
        ruling = final_verdict(session(ran), stopped=NO_FIX)
        assert ruling is (Verdict.AS_SAVED if told else NO_FIX)


def test_one_error_of_the_saved_outputs_is_not_all_of_them() -> None:
    both = run(None, failing("KeyError", "'Age'"), failing("ValueError", "x", cell=2))
    cells = (CellAgreement(cell_id="c1", ordinal=1, match=OutputMatch.SAME),)
    ran = both.model_copy(update={"agreement": OutputAgreement(cells=cells)})
    assert final_verdict(session(ran), stopped=NO_FIX) is NO_FIX


def test_a_module_of_the_notebooks_own_is_no_missing_package() -> None:
    found = failing("ModuleNotFoundError", "No module named 'predict'")
    error = found.error.model_copy(update={"imported_beside": "own/__init__.py"})
    seen = run(None, found.model_copy(update={"error": error}))
    message, _ = _told(ending_of_check(seen, None))
    assert message == (
        "Cell 2 fails. `own/__init__.py` imports `predict`, which is beside it, in a way "
        "only Python 2 supports. Write `from . import predict` in `own/__init__.py`, and run again."
    )
    assert missing_modules(seen) == ()


def test_missing_notebook_of_a_run_magic_is_a_missing_file() -> None:
    seen = run(None, failing("Exception", "File `'shared.ipynb'` not found."))
    message, _ = _told(ending_without_fix((seen,), None, NONE_FITS))
    assert "shared.ipynb, which does not exist" in message
    assert "ask another fixer" not in message


def test_a_used_up_budget_says_what_stops_it_and_what_to_raise() -> None:
    seen = run(None, failing("KeyError", "'Age'"))
    message, details = _told(ending_without_budget((seen,), None, Bound.FIXES, Budget(fixes=1)))
    assert message.startswith("It stops first in cell 2: KeyError: 'Age'. The one allowed fix")
    assert details == text(seen.require_diagnosis().summary)


def test_missing_file_after_a_run_only_advises_to_modernize() -> None:
    message, _ = _told(ending_of_check(run(None, MISSING), None))
    assert "which does not exist. Modernize the notebook: if a file of this name" in message


def test_missing_folder_is_named_by_the_notebooks_path() -> None:
    lost = failing("FileNotFoundError", r"[Errno 2] No such file or directory: 'C:\\data\\acs'")
    shown = ("Cell In[2], line 1", r"----> 1 os.chdir('C:\\data\\acs')")
    error = lost.error.model_copy(update={"traceback": shown})
    seen = run(None, lost.model_copy(update={"error": error}))
    message, _ = _told(ending_of_check(seen, None))
    assert r"The notebook uses the folder C:\data\acs, which does not exist. Put it" in message
