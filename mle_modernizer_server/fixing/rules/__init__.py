"""Offline fixes: knowledge of breaking changes and the codemods that mend them."""
