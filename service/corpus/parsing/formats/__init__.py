"""Reads each kind of file into a body of text with its structure."""
