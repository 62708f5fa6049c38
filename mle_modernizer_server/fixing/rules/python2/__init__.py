"""Cells that only Python 2 can parse: converted before all other rules look at them."""
