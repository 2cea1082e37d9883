"""The embeddable chat: its source, served as it is."""
