"""Bounds how much one caller may ask for; `rate_limiter` is the entry."""
