"""How a session ends: pure functions of iterations and their grades.

- `progress.py`: which of two runs is better, and whether fixing makes progress.
- `final_verdict.py`: the verdict on a session, with its reason and the next step.
- `proven.py`: which results have to be proven, and the verdict as far as they are.
- `target_facts.py`: evidence against the target score.
- `own_time.py`: what the run in the libraries of its own time adds.
- `endings.py`: the event that ends the work, with the verdict.
"""
