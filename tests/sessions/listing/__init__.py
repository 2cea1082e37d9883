"""Tests of lists: their filters, orders, pages and tokens.

- list_remains: privacy/test_user_data_purge
"""
