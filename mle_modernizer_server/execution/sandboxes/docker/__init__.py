"""The sandbox `docker`: kernels in containers of Kaggle's image.

sandbox.py           the sandbox
settings.py          settings of containers; `configuration.py` is Jupyter's form of it
engine.py            the Docker engine, local or elsewhere
images.py            finds and fetches the image
isolation.py         permissions of a container, and its command lines
container.py         one container, from its start to its certain end
kernel_container.py  a container with a kernel; `relay.py` carries its connection
provisioner.py       the kernel provisioner; `kernelspec.py` a kernel for JupyterLab's menu
pool.py              containers started in advance
installer.py         a run's install lines, in a container of their own
volumes.py           the files of a run, if the engine cannot see this machine's
disk.py              limit on the files a container writes
orphans.py           containers and volumes of servers that have exited
"""
