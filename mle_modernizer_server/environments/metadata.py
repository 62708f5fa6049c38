"""What old packages say of themselves in a way no tool of today reads (`legacy_metadata.yaml`)."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

import yaml


@cache
def uv_configuration() -> str:
    """uv's configuration that puts them right, as the text of a `uv.toml`."""
    text = (resources.files(__package__) / "legacy_metadata.yaml").read_text(encoding="utf-8")
    rows = []
    for entry in yaml.safe_load(text):
        for version in entry["versions"]:
            rows += [
                "[[dependency-metadata]]",
                f"name = {json.dumps(entry['name'])}",
                f"version = {json.dumps(str(version))}",
                f"requires-dist = {json.dumps(entry['requires'])}",
                "",
            ]
    return "\n".join(rows)
