"""Say under which API method a request over HTTP is counted."""

from __future__ import annotations

from typing import Any, Final

from service.api.http.json_bodies import METHOD

NO_METHOD: Final = "none"
"""Stands for the API method of pages, and of what was refused before it was routed."""


def method_of(scope: Any) -> str:
    """Return the API method that *scope* was routed to: a name of ours, whatever was asked."""
    handler = scope.get("route_handler")
    return NO_METHOD if handler is None else handler.opt.get(METHOD, NO_METHOD)
