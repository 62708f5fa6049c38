"""Write the documentation's page of all settings, from their model.

    python scripts/settings_page.py

Git does not track the page: `make docs` writes it.
"""

from __future__ import annotations

from pathlib import Path

from mle_modernizer_server.cli.flags import (
    help_of,
    metavar_of,
    values_of,
)
from mle_modernizer_server.domain.settings import (
    Input,
    OptionGroup,
    SessionSettings,
    flag_of,
    setting_options,
)
from mle_modernizer_server.web.schema import described_fields

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
_HEAD = """\
# Settings

All settings of a session. The flag is that of `jupyter modernize` and its commands; the name is
that of a [batch](batch.md)'s column and of the [REST interface](api.md), in seconds and US dollars.
A flag overrides the notebook's metadata, and a batch's column overrides a flag.
"""


def page() -> str:
    """Return the page."""
    options = setting_options()
    parts = [_HEAD]
    rows: list[tuple[str, ...]]
    for group in OptionGroup:
        rows = [("flag", "name", "in the panel", "meaning", "values"), ("---",) * 5]
        for name, (field, option) in options.items():
            if option.group is group:
                flag = f"{flag_of(name)} {metavar_of(field, option)}".rstrip()
                words = f"{_sentence(help_of(field, option))} {option.note}".rstrip()
                values = values_of(field, option)
                labels = (each.label for each in field.metadata if isinstance(each, Input))
                rows.append((f"`{flag}`", f"`{name}`", next(labels, ""), words, values))
        parts.append(f"## {group.value.capitalize()}\n\n{_table(rows)}")
    others = dict(described_fields(SessionSettings))
    rows = [("name", "meaning", "default"), ("---",) * 3]
    for name, field in SessionSettings.model_fields.items():
        if name not in options:
            default = field.get_default(call_default_factory=True)
            rows.append((f"`{name}`", others[name], f"`{getattr(default, 'value', default)}`"))
    parts.append(f"## Without a flag\n\n{_table(rows)}")
    return "\n".join(parts)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _table(rows: list[tuple[str, ...]]) -> str:
    lines = (" | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in row) for row in rows)
    return "".join(f"| {line} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
