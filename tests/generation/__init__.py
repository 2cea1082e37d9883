"""Tests of what writes text from hits, and of the endpoints of models."""
