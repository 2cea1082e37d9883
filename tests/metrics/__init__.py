"""Tests of what is counted for Prometheus, of one process and over several."""
