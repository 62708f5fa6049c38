"""Which Python and which packages a notebook runs with, in any sandbox.

In: a notebook, its folder, the name of its kernelspec, the time it was written.
Out: `FoundEnvironment`s, a choice among them, or an environment made for the notebook.

Results are codes and parameters (`domain/environment.py`); the command line and the panel turn
them into text. Nothing is ever installed into an environment of the user's.

requirements.py   what the notebook needs: imports, install lines, files next to it
beside.py         the files next to it: requirements.txt, pyproject.toml, environment.yml, modules
distributions.py  import name → package (`distributions.yaml`)
listed.py         the Pythons that this machine lists, and which interpreters may be started
discovery.py      describes environments: by their interpreter if it may be started, else by files
interpreter.py    queries one interpreter, isolated (it runs `inspect_python.py`)
bounded.py        runs a program with limits on time and output
files.py          reads an environment from its files, without starting it
choose.py         selects one, with the reason
making.py         makes one, completely or not at all
resolving.py      requirements → lock, for today or for the date of the notebook; corrections to the
                  metadata of old packages are in `legacy_metadata.yaml`
source_archives.py  source archive of pure Python → wheel, without running any of it
dating.py         the date, the Python and the version bounds of a notebook's era
pythons.py        Pythons on this machine that an environment can be made from
uv.py, uv_cache.py  runs uv with pip's indexes, and translates its errors; the size of its cache
store.py          store of made environments: records, list, remove, size limit
kernels.py        kernels of made environments in Jupyter's menu
"""
