"""Tests of how often and how much a caller may ask."""
