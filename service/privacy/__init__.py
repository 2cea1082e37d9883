"""Lets people have what is kept of them, or have it deleted, and records who administers.

Begin with `audit_log`.
"""
