"""Notebook to Execution: sandboxes, the kernel provisioner and the runner."""
