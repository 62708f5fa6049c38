import pytest

from tests.fixing.rules.rewriting import assert_rewrites

LGB = "import lightgbm as lgb\n"


@pytest.mark.parametrize(
    ("given", "callback"),
    [
        ("rounds=None", "*([lgb.early_stopping(rounds)] if rounds is not None else [])"),
        ("rounds=5", "lgb.early_stopping(rounds)"),
        ("rounds", "lgb.early_stopping(rounds)"),
    ],
)
def test_early_stopping_that_may_be_left_out(given: str, callback: str) -> None:
    before = f"def f({given}):\n    return lgb.train(p, d, early_stopping_rounds=rounds)"
    after = f"def f({given}):\n    return lgb.train(p, d, callbacks=[{callback}])"
    assert_rewrites("lightgbm-callbacks", before, after, LGB)
