"""Rules for torchvision, with the codemods they need."""
