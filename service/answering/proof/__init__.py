"""Shows that a text is supported and fit to be told; begin with `citations`."""
