"""What lies beside the notebook, there for its run at the paths its code uses.

In: the notebook's sources and its folder. Out: the files and folders a run is shown, of which the
small ones are copies: nothing the notebook writes reaches the user's files.

names.py    the paths, patterns and modules that code names; the folders it writes into
shown.py    which of them exist and may be shown, and how: `choose_shown`
given.py    files that a person names for paths of the notebook
lookup.py   where a file lies that the code looks for in another place
own_modules.py  the notebook's own modules: copies that read otherwise than their files
lay_out.py  puts them there, and tells afterwards which copies the notebook left as they were
"""
