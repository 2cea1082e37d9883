"""What holds Colloquy to its promises: one folder per floor, and what they share."""
