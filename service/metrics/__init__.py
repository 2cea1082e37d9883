"""Counts what the service does, for Prometheus, and sums it over workers; enter at `metrics`."""
