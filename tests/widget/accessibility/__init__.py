"""The chat and the pages around it for everyone, however people see, hear and type."""
