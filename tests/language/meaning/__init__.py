"""Tests of what words mean where they stand."""
