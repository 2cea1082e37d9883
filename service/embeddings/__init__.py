"""Turns texts into vectors whose angles tell how near their meanings are; begin with `embedder`."""
