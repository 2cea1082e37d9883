"""What is planted into everything that the chat shows: it stays text."""
