"""People see what policies let them, the programs of the portal everything."""

from __future__ import annotations

import pytest

from service.answering.requests import viewers
from service.corpus.document_access import UNRESTRICTED, Viewer
from service.security.principals import ANONYMOUS, Principal, PrincipalKind

CLAIMS = {"groups": ("staff",)}


@pytest.mark.parametrize("kind", PrincipalKind)
def test_each_kind_sees_as_it_may(kind: PrincipalKind) -> None:
    viewer = viewers.of(Principal(kind=kind, id="a", subject="alice", claims=CLAIMS))
    match kind:
        case PrincipalKind.USER:
            assert viewer == Viewer(signed_in=True, subject="alice", claims=CLAIMS)
        case PrincipalKind.VISITOR | PrincipalKind.NOBODY | PrincipalKind.GRANT:
            assert viewer == Viewer(subject="alice")  # what a visitor claims nobody has signed
        case _:
            assert viewer is UNRESTRICTED


def test_a_grant_sees_what_its_minter_does() -> None:
    def grant(minter: PrincipalKind) -> Principal:
        return Principal(
            kind=PrincipalKind.GRANT, id="a", subject="alice", claims=CLAIMS, granted_by=minter
        )

    assert viewers.of(grant(PrincipalKind.SERVER)) is UNRESTRICTED
    user = Viewer(signed_in=True, subject="alice", claims=CLAIMS)
    assert viewers.of(grant(PrincipalKind.USER)) == user
    assert viewers.of(grant(PrincipalKind.VISITOR)) == Viewer(subject="alice")


def test_everybody_sees_everything_while_authentication_is_off() -> None:
    assert viewers.of(ANONYMOUS) is UNRESTRICTED
