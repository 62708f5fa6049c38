"""The vocabulary of the product as plain typed data.

Nothing here does input or output, and nothing here imports another part of the package. Every
room of the house (execution, grading, diagnosis, fixing, workflow, web, command line) speaks in
these types.
"""
