"""Codemods that are told what to do by the rules' data."""
