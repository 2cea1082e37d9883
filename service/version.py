"""The version of Colloquy; the package, the published documents and the commands read it here."""

from typing import Final

VERSION: Final = "0.1.0"
