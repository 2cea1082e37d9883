"""Tests of the readers of markup by signs, each by what it makes of a page."""
