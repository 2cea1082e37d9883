"""Say which documents somebody may see: what policies compare with documents, and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from service.corpus import document_filters
from service.corpus.document_filters import ALL, And, Filter, ReadableBy
from sessions.resources.documents import AclInfo

_GROUPS: Final = "groups"
"""The claim whose values are the ids of the groups that ``aclInfo`` names."""
_SUBJECT: Final = "sub"
"""The claim that is the subject itself (RFC 7519, 4.1.2), whatever else a token claims."""
_USER: Final = "user:"
_GROUP: Final = "group:"
_EVERY_USER: Final = "idp"
"""Identities have prefixes, so that no group can be called as a user is."""


class Viewer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """As whom documents are looked at; by default somebody of whom nothing is known.

    It is stored with the request of an answer: whoever goes on writing that sees no more.
    """

    sees_all: bool = False
    """Whether no policy applies: for operators, and for the portal's own programs."""

    signed_in: bool = False
    """Whether an identity provider knows the viewer, as `idpWide` of ``aclInfo`` wants."""

    subject: str = ""
    claims: Mapping[str, tuple[str, ...]] = msgspec.field(
        default_factory=dict[str, "tuple[str, ...]"]
    )

    @property
    def all_claims(self) -> Mapping[str, tuple[str, ...]]:
        """What policies may ask of the viewer, the subject as the claim ``sub``."""
        return {**self.claims, _SUBJECT: (self.subject,) if self.subject else ()}

    @property
    def identities(self) -> frozenset[str]:
        """What the readers of a document may name the viewer by."""
        users = [_USER + self.subject] if self.subject else []
        every = [_EVERY_USER] if self.signed_in else []
        return frozenset(
            (*users, *every, *(_GROUP + each for each in self.claims.get(_GROUPS, ())))
        )


UNRESTRICTED: Final = Viewer(sees_all=True)
"""Who sees every document."""


class DocumentPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Which documents of one data store are for whom; by default all for everybody."""

    has_readers: bool = False
    """Whether documents are for the readers alone whom their ``aclInfo`` names."""

    filter: Filter = ALL
    """What a document has to match, as `document_filters.parse_policy` reads it."""

    def condition(self, viewer: Viewer) -> Filter:
        """Return what *viewer* sees: `document_filters.ALL` where that is everything."""
        if viewer.sees_all:
            return ALL
        terms = list[Filter]()
        if self.has_readers:
            terms.append(ReadableBy(viewer.identities))
        if self.filter != ALL:
            terms.append(document_filters.with_claims(self.filter, viewer.all_claims))
        return terms[0] if len(terms) == 1 else And(tuple(terms))


def readers(acl_info: AclInfo | None) -> tuple[tuple[str, ...], ...]:
    """Return who may read a document, as `Facts.readers`: one identity of each of these.

    Several ``readers`` restrict each other, as the public API models inherited permissions: who
    may read a page may read the space that it is in. Without any, or with one that names nobody,
    nobody may.
    """
    return tuple(
        (
            *(_USER + one.user_id for one in each.principals if one.user_id),
            *(_GROUP + one.group_id for one in each.principals if one.group_id),
            *((_EVERY_USER,) if each.idp_wide else ()),
        )
        for each in (acl_info.readers if acl_info else ())
    )
