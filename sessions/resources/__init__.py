"""One module per documented resource, types only."""
