"""What the operator does from a terminal, one module per command."""
