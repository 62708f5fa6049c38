"""The files in a notebook's folder, made available to its run at the paths its code uses.

In: the notebook's sources and its folder. Out: the files and folders a run can see, small ones as
copies: nothing the notebook writes reaches the user's files.

visible_files.py   which files exist and are allowed, and how they are provided: `choose_shown`
supplied_files.py  files that the user supplies for paths of the notebook
lookup.py       finds a file that the code expects in another place
own_modules.py  the notebook's own modules, some in converted copies
library_data.py  nltk's data unpacked, and the user's caches of downloads
stage_files.py  puts the files in place; afterwards, which copies the notebook left unchanged
"""
