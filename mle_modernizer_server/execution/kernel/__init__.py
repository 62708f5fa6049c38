"""One kernel in a sandbox.

In: a sandbox and its mounts. Out: a kernel that runs cells and answers questions between them.

kernel.py          its start, its questions, its certain end; the end of what it printed on stderr
bounded_client.py  nbclient, with bounds on what is kept of a cell's output
environment.py     asks for the versions of what the notebook imports
facts.py           asks about a failure before anything else runs
profile.py         asks where the time went
inside/            the sources that are sent into the kernel
"""
