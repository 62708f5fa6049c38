"""When a notebook was written, and for which versions of its libraries.

In: its text, outputs and metadata. Out: an `Era`.

    evidence.py  what in a notebook tells of its time
    releases.py  when versions came out (`releases.yaml`)
    era.py       the era that the evidence speaks for
"""
