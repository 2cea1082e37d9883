"""Builds and wires the service, the one place that imports everything; begin with `app`."""
