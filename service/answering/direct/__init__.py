"""Lets a model write from the contents of a request alone; begin with `direct_generation`."""
