"""When a notebook was written, and for which versions of its libraries.

In: its text, outputs and metadata. Out: an `Era`.

    evidence.py          what its file, outputs and words tell of its time
    evidence_of_code.py  what its code tells
    releases.py          when versions came out (`releases.yaml`)
    era.py               the era that the evidence speaks for
"""
