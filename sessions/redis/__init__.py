"""Reaches Redis, however it is deployed, and names its keys; `connection` is the entry."""
