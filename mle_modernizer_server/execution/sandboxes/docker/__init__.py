"""The sandbox `docker`: kernels in sealed containers."""
