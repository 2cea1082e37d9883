"""Sends traces by OpenTelemetry's protocol to whom the operator says; begin with `export`."""
