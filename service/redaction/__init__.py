"""Finds personal data in what people type and masks it, without I/O; `redactor` is the entry."""
