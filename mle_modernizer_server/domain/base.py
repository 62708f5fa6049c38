"""The one base class of all domain values."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """An immutable value; unknown fields are refused, so that a typo never passes silently."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
