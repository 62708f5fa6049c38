"""Student's t distribution from `scipy.special`: `scipy.stats` takes a second to import.

Source: https://docs.scipy.org/doc/scipy/reference/generated/scipy.special.stdtrit.html
"""

from __future__ import annotations


def quantile(probability: float, degrees: int) -> float:
    """Return the value that a draw is below with this probability.

    Args:
        probability: Between 0 and 1.
        degrees: Of freedom.
    """
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))


def probability_beyond(value: float, degrees: int) -> float:
    """Return the two-sided probability of a draw at least that far from 0.

    Args:
        value: In standard errors.
        degrees: Of freedom.
    """
    from scipy.special import stdtr

    return 2 * float(stdtr(degrees, -abs(value)))
