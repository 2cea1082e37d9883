"""Imports what a service stands on and reads its tables, for the processes that are forked then."""

from __future__ import annotations

import gc

from litestar.plugins import pydantic

from service.commands import serve, serving
from service.composition import warming

__all__ = ["pydantic", "serve", "serving"]

gc.disable()
warming.warm_up()
gc.collect()
gc.freeze()
gc.enable()
