"""Reads sentences, items and rows: how well each tells what is asked; begin with `worth`."""
