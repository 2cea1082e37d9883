"""Reads Word documents (ECMA-376 part 1); `docx` goes through one, helped by the others."""
