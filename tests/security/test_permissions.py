"""The table of who may do what."""

from __future__ import annotations

import pytest

from service.security import permissions
from service.security.permissions import AccessKind, ResourceKind
from service.security.principals import PrincipalKind
from sessions.errors import PermissionDenied

READS = (AccessKind.READ, AccessKind.LIST)


def test_a_method_has_one_rule() -> None:
    methods = [method for rule in permissions.RULES for method in rule.methods]
    assert len(methods) == len({*methods})
    assert {*methods} >= permissions.AT_LOCATIONS


def test_the_operator_may_do_all_and_nobody_become_a_visitor() -> None:
    for rule in permissions.RULES:
        assert PrincipalKind.OPERATOR in rule.kinds
        is_open = rule.methods in (("MintVisitorToken",), ("GetWidgetConfig",))
        assert (PrincipalKind.NOBODY in rule.kinds) is is_open


def test_a_reader_reads_what_a_server_reads_and_writes_nothing() -> None:
    for rule in permissions.RULES:
        if rule.action in READS and PrincipalKind.SERVER in rule.kinds:
            assert PrincipalKind.READER in rule.kinds
        if rule.action in {AccessKind.WRITE, AccessKind.IMPORT, AccessKind.FORGET}:
            assert PrincipalKind.READER not in rule.kinds


def test_a_portals_back_end_keeps_documents_and_not_what_they_lie_in() -> None:
    for method in ("CreateDocument", "UpdateDocument", "DeleteDocument", "ImportDocuments"):
        permissions.check(PrincipalKind.SERVER, method)
    permissions.check(PrincipalKind.SERVER, "PurgeDocuments")
    for rule in permissions.RULES:
        if rule.resource in {ResourceKind.DATA_STORES, ResourceKind.ENGINES, ResourceKind.CORPORA}:
            assert rule.action is AccessKind.READ or PrincipalKind.SERVER not in rule.kinds


def test_a_user_and_a_visitor_may_do_the_same() -> None:
    for rule in permissions.RULES:
        if rule.resource is ResourceKind.VISITORS:
            continue  # a visitor renews itself, and a user is what it becomes
        assert (PrincipalKind.USER in rule.kinds) is (PrincipalKind.VISITOR in rule.kinds)


def test_a_method_without_a_rule_is_no_method() -> None:
    with pytest.raises(LookupError, match="Frobnicate has no rule"):
        permissions.check(PrincipalKind.OPERATOR, "Frobnicate")


@pytest.mark.parametrize(
    ("kind", "reason", "said"),
    [
        (PrincipalKind.READER, "NOT_PERMITTED", "these may: operator, server, integration"),
        (PrincipalKind.NOBODY, "CREDENTIALS_MISSING", "this needs a credential"),
    ],
)
def test_who_may_not_is_told_who_may(kind: PrincipalKind, reason: str, said: str) -> None:
    with pytest.raises(PermissionDenied, match=said) as caught:
        permissions.check(kind, "ImportDocuments")
    assert caught.value.reason == reason
    permissions.check(PrincipalKind.INTEGRATION, "ImportDocuments")
