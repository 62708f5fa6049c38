"""The inputs of settings."""

from __future__ import annotations

from enum import Enum
from typing import Any

from mle_modernizer_server.domain.settings import Input, SessionSettings


def test_input_labels_are_the_values_of_the_setting() -> None:
    fields = SessionSettings.model_fields
    inputs = {
        name: each
        for name, field in fields.items()
        for each in field.metadata
        if isinstance(each, Input)
    }
    checked = 0
    for name, each in inputs.items():
        kind: Any = fields[name].annotation
        if isinstance(kind, type) and issubclass(kind, Enum):
            assert list(each.labels) == [member.value for member in kind], name
            checked += 1
        for value in each.labels:
            SessionSettings.model_validate({name: value})
    assert checked >= 5


def test_settings_schema_has_inputs_in_declared_order() -> None:
    properties = SessionSettings.model_json_schema()["properties"]
    assert list(properties) == list(SessionSettings.model_fields)
    assert properties["scope"]["input"]["labels"] == [
        ("file", "Run on, fix all at once"),
        ("cell", "Stop, fix it, continue"),
    ]
    assert properties["time_limit"]["input"]["size"] == 60
    assert properties["time_limit"]["maximum"] == 7 * 24 * 3600
