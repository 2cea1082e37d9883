"""Declares the messages of the public APIs, a module for each resource or method, on `base`."""
