"""People get what is kept of them or have it deleted, and acts of administrators stay on record.

- audit_identities: privacy/test_audit_recorder
- append_only_file, user_data, user_data_export, user_data_methods:
  privacy/test_user_data_purge
"""
