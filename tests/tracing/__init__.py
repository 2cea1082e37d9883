"""Traces as a collector gets them: of whole processes, over OTLP, and over a take-over.

- otel_tracer: tracing/test_traces
"""
