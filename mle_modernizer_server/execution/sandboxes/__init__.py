"""Where a kernel lives and what it may touch.

In: a run's `Mounts`. Out: a `Sandbox` that starts its kernel and its pip there.

base.py          the seam: `Sandbox`, and what it tells of itself, its slot and its kernel's end
workspace.py     a run's scratch directory and `Mounts`: made, and certainly removed
choose.py        the sandboxes there are, and which one to take
local.py         what the two local ones share: commands are children of the server
bubblewrap.py    Linux namespaces, Kaggle's paths, no network
process.py       a plain child process: not isolated
docker/          containers of Kaggle's image
provisioner.py   the kernel provisioner of the local ones
mounted.py       what all kernel provisioners are configured with
environ.py       the environment variables of a kernel
pip_settings.py  what pip gets of the machine's settings
reaper.py        finds and ends every process a kernel left
slots.py         a queue for what only so many may have at once
"""
