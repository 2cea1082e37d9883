"""What the operator says of the portal in one TOML file; `portal_file` is the entry."""
