"""The vocabulary: plain typed values that all other packages share.

Nothing here does input or output, and nothing here imports another part of this package.
"""
