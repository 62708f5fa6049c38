"""Diagnosis and notebook to Proposal: offline rules and the language model."""
