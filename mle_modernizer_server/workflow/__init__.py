"""The session: state machine, event log and the loop that drives the rooms."""
