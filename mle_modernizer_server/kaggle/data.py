"""Fetches a competition's data and description into the data root."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import yaml

from mle_modernizer_server.domain.competition import Metric
from mle_modernizer_server.domain.errors import BadInput, UnknownCompetition
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.grading.competitions import Competitions
from mle_modernizer_server.grading.csv_table import read_table
from mle_modernizer_server.grading.description import FILE_NAME
from mle_modernizer_server.grading.refusal import InvalidSubmission
from mle_modernizer_server.kaggle.account import Account, KaggleFailed, answers
from mle_modernizer_server.kaggle.archive import unpack

SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,99}")
_CHUNK = 1 << 20
_MOST_DESCRIPTION = 1_000_000
_PAGES = ("description", "abstract", "evaluation", "data-description")
"""The pages of a competition that describe the task, in this order."""
_METRICS = {
    "accuracy": Metric.ACCURACY,
    "categorizationaccuracy": Metric.ACCURACY,
    "auc": Metric.ROC_AUC,
    "areaunderreceiveroperatingcharacteristiccurve": Metric.ROC_AUC,
    "logloss": Metric.LOG_LOSS,
    "multiclassloss": Metric.LOG_LOSS,
    "rmse": Metric.RMSE,
    "rootmeansquarederror": Metric.RMSE,
    "rmsle": Metric.RMSLE,
    "rootmeansquaredlogarithmicerror": Metric.RMSLE,
    "mae": Metric.MAE,
    "meanabsoluteerror": Metric.MAE,
    "meansquarederror": Metric.MSE,
    "rsquared": Metric.R2,
    "r2score": Metric.R2,
    "quadraticweightedkappa": Metric.QUADRATIC_WEIGHTED_KAPPA,
    "normalizedginiindex": Metric.GINI,
    "matthewscorrelationcoefficient": Metric.MCC,
    "macrof1score": Metric.MACRO_F1,
    "levenshteinmean": Metric.EDIT_DISTANCE,
}
"""Kaggle's names of metrics, letters and digits only, that are unambiguous here."""


@dataclass(frozen=True)
class Fetched:
    """Downloaded data of a competition.

    Attributes:
        public: The directory a notebook sees.
        files: Number of files in it.
        metric: The competition's metric; None if no metric here has Kaggle's name.
        kaggle_metric: Kaggle's name for it.
        described: Whether the competition can be named in a run.
    """

    public: Path
    files: int
    metric: Metric | None
    kaggle_metric: str
    described: bool


def checked_slug(text: str) -> str:
    """Return the slug of a competition, also from its address.

    Raises:
        BadInput: It is none.
    """
    slug = re.sub(r"^https?://(www\.)?kaggle\.com/(competitions|c)/", "", text.strip())
    slug = slug.split("/", 1)[0].split("?", 1)[0]
    if not SLUG.fullmatch(slug):
        raise BadInput(coded("kaggle.no-slug", text=repr(text[:100])))
    return slug


def fetch_competition(
    account: Account,
    slug: str,
    root: Path,
    *,
    most_bytes: int,
    metric: Metric | None = None,
    replace: bool = False,
    on_bytes: Callable[[int, int | None], None] = lambda done, total: None,
) -> Fetched:
    """Fetch the data of a competition as `<root>/<slug>/prepared/public`.

    Kaggle has no answers, so `prepared/private` stays empty. All or nothing: the data is downloaded
    and unpacked in a temporary directory, and moved to its place at the end.

    Args:
        account: The signed-in user.
        slug: The competition.
        root: The data root; created if missing.
        most_bytes: Bound on the archive and on its content.
        metric: The metric, if the user names it.
        replace: Replace data that is there.
        on_bytes: Called with the bytes received, and the total if known.

    Raises:
        BadInput: Kaggle refuses, there is data already, the archive is not to be trusted, or
            there is no room or no right to write.
        NotFound: There is no such competition.
        KaggleFailed: Kaggle cannot be reached.
    """
    folder = root / slug
    public = folder / "prepared" / "public"
    if (folder / "prepared" / "private").exists():
        raise BadInput(coded("kaggle.own-answers", folder=str(folder)))
    if public.exists() and not replace:
        raise BadInput(coded("kaggle.there-already", public=str(public)))
    kaggle_metric = _metric_name(account, slug)
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=root) as scratch:
            archive, fresh = Path(scratch) / "data.zip", Path(scratch) / "public"
            fresh.mkdir()
            _download(account, slug, archive, most_bytes, on_bytes)
            files = unpack(archive, fresh, most_bytes)
            archive.unlink()
            _describe(account, slug, fresh / "description.md")
            public.parent.mkdir(parents=True, exist_ok=True)
            _exchange(public, fresh, Path(scratch) / "old")
    except OSError as error:
        why = error.strerror or str(error)
        message = coded("kaggle.not-written", root=str(root), why=why)
        raise BadInput(message) from error
    metric = metric or _METRICS.get(re.sub(r"[^a-z0-9]", "", kaggle_metric.lower()))
    described = _is_described(root, slug)
    if not described and metric is not None:
        described = _write_description(folder, public, slug, metric)
    return Fetched(public, files, metric, kaggle_metric, described)


def _exchange(public: Path, fresh: Path, old: Path) -> None:
    """Put the new data in its place; restore the old ones if that fails."""
    if public.exists():
        public.rename(old)
    try:
        fresh.rename(public)
    except OSError:
        if old.exists():
            old.rename(public)
        raise


def _metric_name(account: Account, slug: str) -> str:
    from kagglesdk.competitions.types.competition_api_service import ApiGetCompetitionRequest

    request = ApiGetCompetitionRequest()
    request.competition_name = slug
    with answers(f"the competition {slug}", slug=slug):
        found = account.client.competitions.competition_api_client.get_competition(request)
        return str(found.evaluation_metric or "")


def _download(
    account: Account,
    slug: str,
    archive: Path,
    most_bytes: int,
    on_bytes: Callable[[int, int | None], None],
) -> None:
    from kagglesdk.competitions.types.competition_api_service import ApiDownloadDataFilesRequest

    request = ApiDownloadDataFilesRequest()
    request.competition_name = slug
    with answers(f"the data of {slug}", slug=slug):
        found = account.client.competitions.competition_api_client.download_data_files(request)
        with found as response:
            length = response.headers.get("Content-Length", "")
            total = int(length) if length.isdecimal() else None
            _check_room(archive.parent, total or 0, most_bytes)
            done = 0
            with archive.open("xb") as file:
                for chunk in response.iter_content(_CHUNK):
                    done += len(chunk)
                    _check_room(archive.parent, done, most_bytes, free=False)
                    file.write(chunk)
                    on_bytes(done, total)
            plain = "Content-Encoding" not in response.headers
    if plain and total is not None and done != total:
        raise KaggleFailed(coded("kaggle.broke-off", done=done, total=total))


def _check_room(place: Path, size: int, most_bytes: int, *, free: bool = True) -> None:
    if size > most_bytes:
        raise BadInput(coded("kaggle.data-too-large", most_bytes=most_bytes / 1000000000.0))
    if free and size > shutil.disk_usage(place).free:
        raise BadInput(
            coded(
                "kaggle.no-room", parent=str(place.parent), size=format(size / 1000000000.0, ".1f")
            )
        )


def _describe(account: Account, slug: str, file: Path) -> None:
    """Write the competition's pages, unless the data brings a description of its own."""
    from kagglesdk.competitions.types.competition_api_service import ApiListCompetitionPagesRequest

    if file.exists():
        return
    request = ApiListCompetitionPagesRequest()
    request.competition_name = slug
    with answers(f"the description of {slug}", slug=slug):
        service = account.client.competitions.competition_api_client
        found = {
            str(page.name).lower(): str(page.content)
            for page in service.list_competition_pages(request).pages
        }
    chosen = [name for name in _PAGES if found.get(name, "").strip()]
    text = f"# {slug}\n" + "".join(f"\n## {name}\n\n{found[name].strip()}\n" for name in chosen)
    file.write_text(text[:_MOST_DESCRIPTION], "utf-8")


def _is_described(root: Path, slug: str) -> bool:
    try:
        Competitions(root).get(slug)
    except UnknownCompetition:
        return False
    return True


def _write_description(folder: Path, public: Path, slug: str, metric: Metric) -> bool:
    """Write a `competition.yaml` from the sample submission; return False if there is none."""
    samples = sorted(
        file
        for pattern in ("*ubmission*.csv", "*ubmission*.csv.zip")
        for file in public.glob(pattern)
    )
    if not samples:
        return False
    try:
        header = read_table(samples[0], [], most_rows=1).header
    except InvalidSubmission:
        return False  # the data is usable anyway; the caller has to describe it
    if len(header) < 2:
        return False
    content = {
        "id": slug,
        "metric": metric.value,
        "id_columns": [header[0]],
        "target_columns": list(header[1:]),
        "sample_submission": samples[0].relative_to(folder).as_posix(),
    }
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
    (folder / FILE_NAME).write_text(text, "utf-8")
    return True
