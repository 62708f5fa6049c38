"""The notebook's install lines, carried out before its kernel starts.

In: a `Notebook`. Out: `PipInstall`s, and the packages in the run's `packages` directory.

lines.py           finds the lines, and takes them out of the executed copy
shell_commands.py  takes a shell line apart
install.py         resolves and installs, in the sandbox
runner.py          runs pip so that no code of a package runs with it, inside the sandbox
installed.py       which packages a sandbox's Python has, without a run
"""
