"""Secrets that people leave in notebooks."""

from __future__ import annotations

import pytest

from mle_modernizer_server.fixing.llm.redaction import Redactor

HEX40 = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("openai.api_key = 'sk-proj-abcdefghijklmnop1234'", "sk-proj-abcdefghijklmnop1234"),
        ("login('hf_abcdefghijklmnopqrst')", "hf_abcdefghijklmnopqrst"),
        (f"wandb.login(key='{HEX40}')", HEX40),
        (f"os.environ['WANDB_API_KEY'] = \"{HEX40}\"", HEX40),
        (f'{{"username": "me", "key": "{HEX40[:32]}"}}', HEX40[:32]),
        (f"%env KAGGLE_KEY={HEX40[:32]}", HEX40[:32]),
        ("!git clone https://me:hunter2@github.com/x/y", "hunter2"),
        ('password = "correct-horse"', "correct-horse"),
        ("connect(password='correct-horse')", "correct-horse"),
        ("{'Authorization': 'Bearer abcdefghijklmnop.qrst'}", "abcdefghijklmnop.qrst"),
        ("k = 'AKIAABCDEFGHIJKLMNOP'", "AKIAABCDEFGHIJKLMNOP"),
        (
            "k = 'AIzaSyA1234567890abcdefghijklmnopqrstuv'",
            "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        ),
        ("k = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'", "ghp_abcdefghijklmnopqrstuvwxyz"),
        ("t = 'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2'", "eyJzdWIiOiIxMjM0"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----",
            "MIIEabc",
        ),
    ],
)
def test_a_secret_is_taken_out_and_put_back(text: str, secret: str) -> None:
    redactor = Redactor()
    clean = redactor.redact(text)
    assert secret not in clean
    assert redactor.redact(clean) == clean
    assert redactor.restore(clean) == text


@pytest.mark.parametrize(
    "text",
    [
        "tokens = tokenizer.tokenize(text)",
        "model.fit(X, y)  # the key step",
        "df['token'] = df.text.str.split()",
        "max_tokens = 512",
        "url = 'https://example.org/a/b.csv'",
        "keys = {'key': 'value'}",
        "oov_token='<OOV>'",
    ],
)
def test_ordinary_code_stays_as_it_is(text: str) -> None:
    assert Redactor().redact(text) == text


def test_a_known_key_is_found_anywhere_but_never_given_away() -> None:
    redactor = Redactor(["s3cr3t-endpoint-key"])
    assert redactor.redact("nothing here") == "nothing here"
    assert redactor.restore("__REDACTED_SECRET_1__") == "__REDACTED_SECRET_1__"
    assert "s3cr3t" not in redactor.redact("x = 's3cr3t-endpoint-key'")


def test_the_same_secret_has_the_same_placeholder() -> None:
    redactor = Redactor()
    first = redactor.redact("password = 'correct-horse'")
    assert redactor.redact("password = 'correct-horse'") == first


@pytest.mark.parametrize("piece", ["a", "token=", "-----BEGIN ", "eyJ", "://a:", "key'", "A_", " "])
def test_a_megabyte_of_near_misses_comes_back_as_it_was(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))  # a pattern that backtracks would never end
    assert Redactor().redact(text) == text


def test_known_key_is_masked_as_a_whole_word_only() -> None:
    text = "text = 'x'; key = 'abcdefgh'; other = 'abcdefghi'"
    assert Redactor(["x"]).redact(text) == text, "a dummy key masks nothing"
    clean = Redactor(["abcdefgh"]).redact("k = f('abcdefgh', 'abcdefghi')")
    assert clean == "k = f('__REDACTED_SECRET_1__', 'abcdefghi')"
