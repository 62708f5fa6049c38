"""Studies: runs that answer a question. They are no iterations and leave the session as it was.

- `repeat.py`: the engine: trials one after the other until there is a result.
- `verification.py`: does the notebook give the same score when it runs again?
- `seed_variance.py`: how far does the score vary without a change?
- `cause.py`: which silent library change moved the score? By bisection.
- `differential_run.py`: the same cells with old libraries and with today's.
- `own_time.py`: the unchanged notebook in the libraries of its own time.
- `prove.py`: does the result come from training? Runs on shuffled data.
- `label_shuffle.py`: the run on shuffled labels that proofs and searches make.
- `learn.py`: the rules that a model's fixes teach.
- `improve.py`, `refine.py`, `versions.py`: which version of a notebook scores better?
- `leak_search.py`: does the notebook leak? By runs, and as a model sees it.
- `search_memory.py`: what earlier searches found to help on similar tasks.
- `reproduction.py`: a paper's notebook and its claims; `reproduce.py`: does it reproduce them?
- `completion.py`: a model completes a paper's claims, kept beside the paper.
- `write.py`: a model writes a paper's notebook in stages; `write_session.py`: in a session.
"""
