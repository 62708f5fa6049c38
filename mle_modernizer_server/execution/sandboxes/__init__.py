"""Isolation of a kernel: its processes, files and network.

In: a run's `Mounts`. Out: a `Sandbox` that starts its kernel and its pip there.

base.py          the interface: `Sandbox`, its description, its slot and its kernel's end
workspace.py     a run's scratch directory and `Mounts`: made, and always removed
choose.py        the available sandboxes, and which one to use
local.py         base of the two local ones: commands are children of the server
bubblewrap.py    Linux namespaces, Kaggle's paths, no network
process.py       a plain child process: not isolated
docker/          containers of Kaggle's image
provisioner.py   the kernel provisioner of the local ones
mounted.py       the configuration of all kernel provisioners
environ.py       the environment variables of a kernel
pip_settings.py  which of the machine's settings pip gets
pip_options.py   which options of an install line pip gets
reaper.py        finds and ends every process a kernel left
process_limit.py   ends a sandbox with too many processes
slots.py         a queue for limited resources
waiting.py       waits for work that can be cancelled
system_calls.py  the system calls that bubblewrap refuses
socket_server.py   a bounded server on a Unix socket, for the next two
public_network.py  the proxy to public servers, for runs with network access
package_index.py   the forwarder to the package indexes, for install lines
socket_relay.py    forwards a loopback port to a Unix socket, inside the sandbox
"""
