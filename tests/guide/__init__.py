"""The user guide against the code that it speaks of."""
