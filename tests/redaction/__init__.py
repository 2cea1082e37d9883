"""What is personal data in a text, and what only looks like it."""
