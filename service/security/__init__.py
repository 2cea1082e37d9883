"""Who may ask what, decided on plain values; `request_policy` is where to begin."""
