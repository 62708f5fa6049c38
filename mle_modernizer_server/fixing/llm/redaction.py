"""Mask secrets in all texts sent to a model, and restore them in its edits.

People leave keys in notebooks. Each is replaced by a placeholder before a prompt is made; if the
model copies the placeholder into an edit, the user's own text is restored, so that a reviewed edit
makes only intended changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_SHORTEST = 8
"""Characters of a secret."""
_PLACEHOLDER = re.compile(r"__REDACTED_SECRET_\d+__")

# The secret is the group `secret` if there is one, else the whole match. No pattern has nested
# repetition: hostile input must not cost more than linear time.
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\n]{0,8000}-----END [A-Z ]{0,30}"
        r"PRIVATE KEY-----",
        r"\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,2000}",
        r"\bsk-[A-Za-z0-9_-]{16,300}",
        r"\bhf_[A-Za-z0-9]{16,200}",
        r"\bgh[pousr]_[A-Za-z0-9]{20,255}",
        r"\bgithub_pat_[A-Za-z0-9_]{20,255}",
        r"\bglpat-[A-Za-z0-9_-]{16,100}",
        r"\bKGAT_[A-Za-z0-9]{16,100}",
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        r"\bAIza[0-9A-Za-z_-]{30,60}",
        r"\bxox[abprs]-[A-Za-z0-9-]{10,200}",
        r"\bnpm_[A-Za-z0-9]{30,60}",
        r"\bpypi-[A-Za-z0-9_-]{30,300}",
        r"://[^\s/:@'\"]{1,200}:(?P<secret>[^\s/@'\"]{1,200})@",
        r"(?i)\bbearer\s{1,4}(?P<secret>[A-Za-z0-9._~+/=-]{16,2000})",
        # key: "…", password = '…', login(key="…"), os.environ["WANDB_API_KEY"] = "…"
        r"(?i)(?:api_?key|secret(?:_?key)?|access_?key|auth_?token|access_?token|token|passwd|"
        r"password|wandb_api_key|kaggle_key)['\"]?\s{0,4}\]?\s{0,4}[:=,]\s{0,4}['\"]"
        r"(?P<secret>[^'\"\s]{8,500})['\"]",
        r"(?i)\b(?:login|key)\s{0,4}\(?\s{0,4}(?:key\s{0,4})?['\"]?\s{0,4}[:=(]\s{0,4}['\"]"
        r"(?P<secret>[0-9a-f]{32,64})['\"]",
        # VARIABLE=value in a shell or %env line
        r"(?i)\b[A-Z0-9_]{0,60}(?:API_KEY|TOKEN|SECRET|PASSWORD|KAGGLE_KEY)\s{0,2}=\s{0,2}"
        r"(?P<secret>[A-Za-z0-9._~+/-]{16,500})",
    )
)


def masked_in(texts: Iterable[str]) -> int:
    """Return how many secrets some texts have placeholders for."""
    return len({found for text in texts for found in _PLACEHOLDER.findall(text)})


class Redactor:
    """Replaces secrets by placeholders; the same secret always gets the same one."""

    def __init__(self, known: Iterable[str] = (), also: Iterable[re.Pattern[str]] = ()) -> None:
        """
        Args:
            known: Secrets to find as a word of their own, such as the endpoint's key; those of less
                than 8 characters are none.
            also: Further texts to hide from the model.
        """
        self._also = tuple(also)
        self._placeholders: dict[str, str] = {}
        # a short one is a dummy, or a word of the notebook
        self._known = tuple(
            re.compile(rf"(?<![A-Za-z0-9_]){re.escape(secret)}(?![A-Za-z0-9_])")
            for secret in known
            if len(secret) >= _SHORTEST
        )

    def redact(self, text: str) -> str:
        """Return the text without its secrets."""
        for known in self._known:
            text = known.sub(self._replace, text)
        for pattern in (*_PATTERNS, *self._also):
            text = pattern.sub(self._replace, text)
        return text

    def restore(self, text: str) -> str:
        """Return the text with the secrets back in place of their placeholders."""
        for secret, placeholder in self._placeholders.items():
            text = text.replace(placeholder, secret)
        return text

    def _replace(self, match: re.Match[str]) -> str:
        group = "secret" if "secret" in match.re.groupindex else 0
        secret = match.group(group)
        if _PLACEHOLDER.search(secret):
            return match.group()
        start, end = match.start(group) - match.start(), match.end(group) - match.start()
        whole = match.group()
        return whole[:start] + self._placeholder(secret) + whole[end:]

    def _placeholder(self, secret: str) -> str:
        if secret not in self._placeholders:
            self._placeholders[secret] = f"__REDACTED_SECRET_{len(self._placeholders) + 1}__"
        return self._placeholders[secret]
