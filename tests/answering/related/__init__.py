"""Tests of what else a portal could be asked."""
