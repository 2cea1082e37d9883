"""Feed native parsers what they were not made for; `python -m tests.fuzz` does so for longer."""
