"""Tell as whom a caller looks at documents."""

from __future__ import annotations

from typing import Final

from service.corpus.document_access import UNRESTRICTED, Viewer
from service.security.principals import Principal, PrincipalKind

_SEES_ALL: Final = frozenset(
    {
        PrincipalKind.OPERATOR,
        PrincipalKind.SERVER,
        PrincipalKind.READER,
        PrincipalKind.INTEGRATION,
    }
)
"""Programs of the portal. One that asks for a person sends the token of that person instead: what
it asks by itself is answered from everything."""


def of(principal: Principal) -> Viewer:
    """Return as whom *principal* sees documents; whoever is of no other kind has no claims.

    By a grant one sees what they see who had it minted.
    """
    kind = principal.granted_by or principal.kind
    if kind in _SEES_ALL:
        return UNRESTRICTED
    if kind is PrincipalKind.USER:
        return Viewer(signed_in=True, subject=principal.subject, claims=dict(principal.claims))
    return Viewer(subject=principal.subject)
