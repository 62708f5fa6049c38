"""Codemods whose behaviour is given by the rules' data."""
