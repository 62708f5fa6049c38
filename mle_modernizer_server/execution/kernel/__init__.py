"""One kernel in a sandbox.

In: a sandbox and its mounts. Out: a kernel that runs cells and answers questions between them.

kernel.py          start, questions, guaranteed end; the last lines of its stderr
bounded_client.py  limits on the messages that are read and on the outputs that are stored
environment.py     asks for the versions of the imported packages
facts.py           asks about a failure before anything else runs
profile.py         asks for the time per line
inside/            the sources that are sent into the kernel
"""
