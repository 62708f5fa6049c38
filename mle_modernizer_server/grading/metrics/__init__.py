"""The metrics as functions of plain arrays and texts; each names its source."""
