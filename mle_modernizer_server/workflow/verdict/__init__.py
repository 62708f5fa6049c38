"""How runs came out: pure, from iterations and their grades.

- `progress.py`: which of two runs is better, and whether fixing makes progress.
- `final_verdict.py`: the verdict on a session, with its reason and the next step.
- `run_facts.py`: what in the errors no edit can fix.
- `target_facts.py`: what speaks against the target score.
- `endings.py`: the event that ends the work, with the verdict.
"""
