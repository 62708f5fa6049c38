"""Studies: runs that answer a question. They are no iterations and leave the session as it was.

- `repeat.py`: the engine: trials one after the other until there is a result.
- `verification.py`: does the notebook give the same score when it runs again?
- `seed_variance.py`: how far does the score vary without a change?
- `cause.py`: the silent library change that moved the score, found by bisection.
- `differential_run.py`: the same cells with old libraries and with today's.
- `own_time.py`: the unchanged notebook with its original libraries.
- `prove.py`: does the result come from training? Runs on shuffled data.
- `label_shuffle.py`: the run on shuffled labels that proofs and searches make.
- `learn.py`: the rules learned from a model's fixes.
- `improve.py`, `refine.py`: comparison of a notebook's versions by score.
- `leak_search.py`: does the notebook leak? By runs, and in a model's opinion.
- `search_memory.py`: successful changes of earlier searches on similar tasks.
- `reproduction.py`: a paper's notebook and its claims; `reproduce.py`: does it reproduce them?
- `completion.py`: a model completes a paper's claims, stored in the paper's folder.
- `write.py`: a model writes a paper's notebook in stages; `write_session.py`: in a session.
"""
