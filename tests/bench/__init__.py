"""Programs that measure what Colloquy promises, each against its rival in the same run."""
