"""Which Python and which packages a notebook runs with, whatever sandbox closes it in.

In: a notebook, the folder it lies in, its kernelspec's name, the time it was written.
Out: `FoundEnvironment`s, a choice among them, or one made for the notebook.

Facts only (codes and parameters, `domain/environments.py`); the command line and the panel word
them. Nothing is ever installed into an environment of the person's.

requirements.py   what the notebook needs: imports, install lines, the files beside it
beside.py         the files beside it: requirements.txt, pyproject.toml, environment.yml, modules
distributions.py  import name → distribution (`distributions.yaml`)
found.py          the environments on this machine
interpreter.py    asks one interpreter, isolated and bounded (`question.py` is what it runs)
files.py          reads an environment from its files alone, without starting it
choose.py         which of them, and why
making.py         makes one, whole or not at all
resolving.py      requirements → lock, of today or of the notebook's own time; what old packages
                  say of themselves wrongly is data (`legacy_metadata.yaml`)
dating.py         the day, the Python and the bounds of a notebook's own time
pythons.py        Pythons on this machine to make one from
uv.py             runs uv with pip's indexes; its errors as ours
kept.py           the made ones: records, list, remove, limit
"""
