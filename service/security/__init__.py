"""Who asks, and who may do what; `principals` is where to begin."""
