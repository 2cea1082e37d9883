"""Tests of what is taken out of the text of a model."""
