"""Codemods that are told what to do by the entries' data."""
