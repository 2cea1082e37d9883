"""Takes out of the text of a model what is no part of an answer; begin with `reasoning`."""
