"""The workflow as tools for agents, over the Model Context Protocol (extra `mcp`).

In: a call of a tool with the path of a notebook. Out: plain data: forecasts, errors, edits, and
verdicts.

tools.py    the tools and resources
answers.py  the answers: the workflow's values in words
"""
