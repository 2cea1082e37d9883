"""Tests of lists: their filters, orders, pages and tokens."""
