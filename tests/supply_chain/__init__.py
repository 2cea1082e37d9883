"""What Colloquy is made of, and what is known against it; `locks` reads what is installed.

``./dev lock`` and ``./dev advisories`` run its programs, which need what developers have installed.
"""
