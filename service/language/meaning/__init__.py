"""Tells how near texts are to a question by what words mean where they stand; see `nearness`."""
