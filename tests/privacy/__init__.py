"""People get what is kept of them or have it deleted, and acts of administrators stay on record.

- audit_identities: privacy/test_audit_recorder
"""
