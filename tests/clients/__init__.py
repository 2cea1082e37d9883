"""What official clients, and programs written for them, get from a running service."""
