"""Lists resources page by page, filtered and ordered; `pagination` is the entry."""
