"""The parts of an experiment that the code of a cell shows, to be compared with another version.

- `facts.py`: all facts of a cell, of the kinds in `fact.py`.
- `reach.py`: what it reaches outside: the network, other processes, files with answers.
- `learning.py`: models and training steps, their data, and what replaces them.
- `written_out.py`: predictions and scores that are constants.
- `parameters.py`: the parameters that it sets.
- `scores.py`: computations with scores. `rows.py`: rows and columns that are chosen or made.
"""
