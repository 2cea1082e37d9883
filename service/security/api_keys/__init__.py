"""The keys of programs: made, kept and revoked; begin with `registry`."""
