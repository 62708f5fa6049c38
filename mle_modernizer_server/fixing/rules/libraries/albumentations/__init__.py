"""Rules for albumentations, with the codemods they need."""
