"""How a session ends: pure functions of iterations and their grades.

- `progress.py`: comparison of two runs, and whether fixing makes progress.
- `final_verdict.py`: the verdict on a session, with its reason and the next step.
- `proven.py`: the results that need proof, and the verdict on the proven ones.
- `target_facts.py`: evidence against the target score.
- `own_time.py`: facts from the run with the original libraries.
- `endings.py`: the event that ends the work, with the verdict.
"""
