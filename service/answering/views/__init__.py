"""One answer as the other public documents tell it, without I/O: `replies` and `candidates`."""
