"""Fetches a notebook and writes the metadata file of Kaggle's own tools next to it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from mle_modernizer_server.domain.errors import BadInput
from mle_modernizer_server.domain.message import coded
from mle_modernizer_server.execution.documents import notebook_from_json
from mle_modernizer_server.kaggle.account import Account, KaggleFailed, answers, harmless_words
from mle_modernizer_server.untrusted.parsing import UnreadableText, read_json

METADATA_FILE = "kernel-metadata.json"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_MOST_CHARACTERS = 200_000_000
_LISTS = ("dataset_data_sources", "kernel_data_sources", "competition_data_sources")


@dataclass(frozen=True)
class FetchedNotebook:
    """A downloaded notebook.

    Attributes:
        notebook: The notebook file.
        metadata: `kernel-metadata.json` next to it.
        competitions: The competitions whose data it used.
    """

    notebook: Path
    metadata: Path
    competitions: tuple[str, ...]


def checked_name(text: str) -> tuple[str, str]:
    """Return owner and slug of a notebook, also from its address.

    Raises:
        BadInput: It is no such name.
    """
    name = re.sub(r"^https?://(www\.)?kaggle\.com/(code/)?", "", text.strip())
    owner, _, slug = name.split("?", 1)[0].rstrip("/").partition("/")
    if not (_NAME.fullmatch(owner) and _NAME.fullmatch(slug)):
        raise BadInput(coded("kaggle.no-notebook-name", text=repr(text[:100])))
    return owner, slug


def fetch_notebook(
    account: Account, owner: str, slug: str, into: Path, *, replace: bool = False
) -> FetchedNotebook:
    """Fetch a notebook as `<into>/<slug>.ipynb`, with its `kernel-metadata.json`.

    Args:
        account: The signed-in user.
        owner: The notebook's owner.
        slug: The notebook's name in its address.
        into: A directory; created if missing.
        replace: Overwrite files that exist.

    Raises:
        BadInput: Kaggle refuses, a file exists, or it is no Python notebook.
        NotFound: There is no such notebook.
        KaggleFailed: Kaggle cannot be reached.
    """
    from kagglesdk.kernels.types.kernels_api_service import ApiGetKernelRequest

    notebook, metadata = into / f"{slug}.ipynb", into / METADATA_FILE
    for file in (notebook, metadata):
        if (file.exists() or file.is_symlink()) and not replace:
            raise BadInput(coded("kaggle.file-exists", file=str(file)))
    what = f"the notebook {owner}/{slug}"
    request = ApiGetKernelRequest()
    request.user_name, request.kernel_slug = owner, slug
    with answers(what):
        found = account.client.kernels.kernels_api_client.get_kernel(request)
        kind, source = harmless_words(found.blob.kernel_type), str(found.blob.source or "")
        facts = _facts(found.metadata, notebook.name)
    if kind.lower() != "notebook":
        raise BadInput(
            coded(
                "kaggle.no-notebook",
                owner=owner,
                slug=slug,
                kind=kind[:20] or "thing without a kind",
            )
        )
    if len(source) > _MOST_CHARACTERS:
        raise BadInput(coded("kaggle.notebook-too-large", owner=owner, slug=slug))
    try:
        content = read_json(source)
    except UnreadableText as error:
        raise KaggleFailed(coded("kaggle.answer-empty", what=what)) from error
    if not isinstance(content, dict):
        raise KaggleFailed(coded("kaggle.answer-empty", what=what))
    notebook_from_json(content, name=notebook.name)  # rejects everything but Python notebooks
    into.mkdir(parents=True, exist_ok=True)
    _write(notebook, source)
    _write(metadata, json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
    sources = facts["competition_sources"]
    return FetchedNotebook(notebook, metadata, tuple(sources if isinstance(sources, list) else ()))


def _facts(metadata: object, file_name: str) -> dict[str, object]:
    """Return the metadata as `kaggle kernels pull --metadata` writes it.

    See https://github.com/Kaggle/kaggle-api/blob/main/docs/kernels_metadata.md
    """
    facts: dict[str, object] = {"code_file": file_name}
    names = {"id": "ref", "id_no": "id", "keywords": "category_ids"}
    names |= {name.replace("_data_", "_"): name for name in (*_LISTS, "model_data_sources")}
    plain = ("title", "language", "kernel_type", "is_private", "enable_gpu", "enable_tpu")
    names |= {name: name for name in (*plain, "enable_internet", "docker_image", "machine_shape")}
    for ours, theirs in names.items():
        value = getattr(metadata, theirs)
        facts[ours] = [str(item) for item in value] if isinstance(value, list) else value
    return facts


def _write(file: Path, text: str) -> None:
    """Write a file anew; a link in its place is replaced and not followed."""
    file.unlink(missing_ok=True)
    with file.open("x", encoding="utf-8", newline="") as stream:
        stream.write(text)
