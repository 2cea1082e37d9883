"""Brings an answer to life and to its reader."""
