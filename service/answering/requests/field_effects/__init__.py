"""Says of each field of a request whether it is obeyed, and why not; begin with `effects`."""
