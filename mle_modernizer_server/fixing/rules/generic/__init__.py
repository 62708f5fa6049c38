"""Codemods that are configured by the rules' data."""
