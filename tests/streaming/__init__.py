"""Tests of the middle floor: how an answer comes to life and to its reader."""
