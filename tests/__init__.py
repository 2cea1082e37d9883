"""What holds Colloquy to its promises: a folder for each of the code, and what they share."""
