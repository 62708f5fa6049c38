"""The runs that this room's tests build by hand."""

from tests.built_runs import ran

__all__ = ["ran"]
