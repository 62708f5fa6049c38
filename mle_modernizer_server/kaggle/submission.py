"""Grades a CSV by a late submission: sends it, and waits until Kaggle has scored it."""

from __future__ import annotations

import io
import math
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.kaggle.account import Account, KaggleFailed, answers, harmless_words

_FIRST_PAUSE = 2.0
_LONGEST_PAUSE = 30.0
_MOST_FAILURES = 5
"""Consecutive requests that may fail before waiting ends."""


@dataclass(frozen=True)
class Scores:
    """Kaggle's scores of a submission.

    Attributes:
        ref: Its number at Kaggle.
        public: The score on the public part; None if Kaggle does not report it.
        private: The score on the private part, or None.
    """

    ref: int
    public: float | None
    private: float | None


def check_takes_csv(account: Account, slug: str) -> str:
    """Check that a competition takes late submissions of files; return its title.

    Raises:
        BadInput: It takes none, or notebooks only; or Kaggle refuses.
        NotFound: There is no such competition.
        KaggleFailed: Kaggle cannot be reached.
    """
    from kagglesdk.competitions.types.competition_api_service import ApiGetCompetitionRequest

    request = ApiGetCompetitionRequest()
    request.competition_name = slug
    with answers(f"the competition {slug}", slug=slug):
        found = account.client.competitions.competition_api_client.get_competition(request)
        notebooks_only = bool(found.is_kernels_submissions_only)
        closed, title = bool(found.submissions_disabled), str(found.title or slug)
    if closed:
        raise BadInput(coded("kaggle.closed", slug=slug))
    if notebooks_only:
        raise BadInput(coded("kaggle.notebooks-only", slug=slug))
    return title


def submit(account: Account, csv: Path, slug: str, message: str) -> int:
    """Send a CSV as a submission; return its number at Kaggle.

    Raises:
        BadInput: Kaggle refuses it.
        KaggleFailed: It could not be sent.
    """
    from kaggle.models.kaggle_models_extended import ResumableUploadResult
    from kagglesdk.competitions.types.competition_api_service import (
        ApiCreateSubmissionRequest,
        ApiStartSubmissionUploadRequest,
    )

    service = account.client.competitions.competition_api_client
    what = f"a submission to {slug}"
    start = ApiStartSubmissionUploadRequest()
    start.competition_name, start.file_name = slug, csv.name
    facts = csv.stat()
    start.content_length = facts.st_size
    start.last_modified_epoch_seconds = int(facts.st_mtime)
    with answers(what, slug=slug):
        place = service.start_submission_upload(start)
        # It prints errors with an address that is a secret for some hours.
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            outcome = account.api.upload_complete(str(csv), place.create_url, True)
        if outcome != ResumableUploadResult.COMPLETE:
            raise KaggleFailed(coded("kaggle.not-sent", csv=csv.name))
        request = ApiCreateSubmissionRequest()
        request.competition_name, request.blob_file_tokens = slug, place.token
        request.submission_description = message
        return int(service.create_submission(request).ref)


def wait_for_scores(
    account: Account,
    ref: int,
    *,
    time_limit: float,
    on_wait: Callable[[float], None] = lambda seconds: None,
) -> Scores:
    """Wait until a submission is scored.

    Args:
        account: The signed-in user.
        ref: The submission's number.
        time_limit: Seconds to wait.
        on_wait: Called with the seconds waited so far, before every pause.

    Raises:
        BadInput: Kaggle could not score it; the message has the reason.
        KaggleFailed: It is not scored in time, or Kaggle does not answer any more.
    """
    started, pause, failures = time.monotonic(), _FIRST_PAUSE, 0
    while True:
        try:
            status, error, scores = _look(account, ref)
            failures = 0
        except KaggleFailed:
            failures += 1  # it is being scored: a network failure does no harm
            status, error = "", ""
            if failures >= _MOST_FAILURES:
                raise
        if status == "COMPLETE":
            return scores
        if status == "ERROR":
            raise BadInput(coded("kaggle.not-scored", why=error or "no reason given"))
        waited = time.monotonic() - started
        if waited + pause > time_limit:
            raise KaggleFailed(coded("kaggle.not-scored-yet", ref=ref, waited=waited))
        on_wait(waited)
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def _look(account: Account, ref: int) -> tuple[str, str, Scores]:
    from kagglesdk.competitions.types.competition_api_service import ApiGetSubmissionRequest

    request = ApiGetSubmissionRequest()
    request.ref = ref
    with answers(f"the submission {ref}"):
        found = account.client.competitions.competition_api_client.get_submission(request)
        scores = Scores(ref, _score(found.public_score), _score(found.private_score))
        return str(found.status.name), harmless_words(found.error_description), scores


def _score(text: object) -> float | None:
    """Parse a score as Kaggle writes it; None if it is empty or no number."""
    try:
        value = float(str(text or ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None
