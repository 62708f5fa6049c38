"""Codemods for torchvision's transforms."""
