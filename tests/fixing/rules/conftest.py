"""What was executed is written down when the tests end."""

from tests.fixing.rules.executed.environment import NAMES, environment


def pytest_sessionfinish() -> None:
    for name in NAMES:
        environment(name).write()
