"""The command line: `jupyter modernize`."""
