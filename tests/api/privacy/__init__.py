"""Tests of what is kept of users over REST.

- user_data: privacy/test_user_data_purge
"""
