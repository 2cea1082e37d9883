"""Tests of what turns texts into vectors; the local model is asked where it is installed."""
