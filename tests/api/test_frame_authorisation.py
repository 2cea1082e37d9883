"""Every frame that asks for something is held to a rule."""

from __future__ import annotations

import typing

from service.api import frame_authorisation
from service.security import permissions
from streaming.protocol import frames


def test_every_frame_but_those_about_the_connection_has_a_rule() -> None:
    tags = {str(kind.__struct_config__.tag) for kind in typing.get_args(frames.AnyClientFrame)}
    assert set(frame_authorisation.RULED) == tags - {"auth", "ping", "request"}
    for tag in frame_authorisation.RULED:
        assert permissions.rule(tag).methods
