"""When a notebook was written, and for which versions of its libraries.

In: its text, outputs and metadata. Out: an `Era`.

    evidence.py          evidence from its file, outputs and text
    evidence_of_code.py  evidence from its code
    releases.py          release dates of versions (`releases.yaml`)
    era.py               the era that fits the evidence
"""
