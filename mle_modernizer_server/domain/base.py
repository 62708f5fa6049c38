"""The one base class of all domain values."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable value; unknown fields are refused, so that a typo never passes silently."""

    # A command uses a few of some hundred models: each is made ready when it is first used.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
