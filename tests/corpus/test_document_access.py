"""Who may see which documents, and that nobody who searches forgets to say for whom."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import msgspec
import pytest

import service
from service.corpus import document_access, document_filters
from service.corpus.document_access import UNRESTRICTED, DocumentPolicy, Viewer
from service.corpus.document_filters import ALL, Facts
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources.documents import AccessRestriction, AclInfo, Principal

ALICE = Viewer(signed_in=True, subject="alice", claims={"groups": ("staff", "board")})
VISITOR = Viewer(subject="visitor-1")
SPACE = AccessRestriction(principals=(Principal(group_id="staff"), Principal(user_id="bob")))
PAGE = AccessRestriction(principals=(Principal(group_id="board"),))


def sees(viewer: Viewer, policy: DocumentPolicy, facts: Facts) -> bool:
    return document_filters.matches(policy.condition(viewer), facts)


@pytest.mark.parametrize(
    ("readers", "expected"),
    [
        ((), False),
        ((AccessRestriction(),), False),
        ((SPACE,), True),
        ((SPACE, PAGE), True),
        ((SPACE, AccessRestriction(principals=(Principal(group_id="hr"),))), False),
        ((AccessRestriction(principals=(Principal(user_id="alice"),)),), True),
        ((AccessRestriction(principals=(Principal(group_id="alice"),)),), False),
        ((AccessRestriction(principals=(Principal(user_id="staff"),)),), False),
        ((AccessRestriction(principals=(Principal(external_entity_id="alice"),)),), False),
        ((AccessRestriction(principals=(Principal(user_id="ALICE"),)),), False),
        ((AccessRestriction(idp_wide=True),), True),
        ((AccessRestriction(idp_wide=True), SPACE), True),
    ],
)
def test_readers_are_any_of_each_restriction(
    readers: tuple[AccessRestriction, ...], *, expected: bool
) -> None:
    """Several restrictions hold together, as the public API models inherited permissions."""
    facts = Facts(id="a", readers=document_access.readers(AclInfo(readers=readers)))
    policy = DocumentPolicy(has_readers=True)
    assert sees(ALICE, policy, facts) is expected
    assert not sees(VISITOR, policy, facts)
    assert sees(UNRESTRICTED, policy, facts)
    assert sees(VISITOR, DocumentPolicy(), facts)


@pytest.mark.parametrize(
    ("text", "viewer", "expected"),
    [
        ("team: ANY(claims.groups)", ALICE, True),
        ("team: ANY(claims.groups)", VISITOR, False),
        ('team: ANY(claims.groups, "public")', VISITOR, False),
        ("team: ANY(claims.Groups)", ALICE, False),
        ("owner: ANY(claims.sub)", ALICE, True),
        ("owner: ANY(claims.sub)", VISITOR, False),
        ('team: ANY(claims.groups) AND NOT draft: ANY("yes")', ALICE, True),
        ('team: ANY(claims.nothing) OR owner: ANY("alice")', VISITOR, True),
        ("team: ANY(claims.groups)", Viewer(claims={"groups": ()}), False),
        ("team: ANY(claims.groups)", Viewer(claims={"groups": ('x") OR (id: ANY("a',)}), False),
        ('team: ANY("staff")', VISITOR, True),
    ],
)
def test_a_filter_speaks_of_the_claims_of_a_viewer(
    text: str, viewer: Viewer, *, expected: bool
) -> None:
    policy = DocumentPolicy(filter=document_filters.parse_policy(text, field="document_filter"))
    facts = Facts(id="a", struct_data={"team": ["staff"], "owner": "alice"})
    assert sees(viewer, policy, facts) is expected


@pytest.mark.parametrize(
    "text",
    [
        "NOT team: ANY(claims.groups)",
        '-(id: ANY("a") OR team: ANY(claims.groups))',
        "NOT NOT team: ANY(claims.groups)",
        "team: ANY(claims)",
        "team: ANY(claims.)",
        "team: ANY(groups)",
    ],
)
def test_a_policy_that_would_show_more_to_who_claims_less_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument, match="document_filter"):
        document_filters.parse_policy(text, field="document_filter")


def test_callers_cannot_speak_of_claims_or_readers() -> None:
    for text in ("team: ANY(claims.groups)", 'readers: ANY("user:alice") OR claims.x: IN(*, *)'):
        try:
            condition = document_filters.parse(text)
        except InvalidArgument:
            continue
        assert not document_filters.matches(condition, Facts(id="a", readers=(("user:alice",),)))


def test_both_policies_hold_together() -> None:
    policy = DocumentPolicy(
        has_readers=True, filter=document_filters.parse_policy('lang: ANY("en")', field="f")
    )
    facts = Facts(id="a", struct_data={"lang": "en"}, readers=(("user:alice",),))
    assert sees(ALICE, policy, facts)
    assert not sees(ALICE, policy, msgspec.structs.replace(facts, struct_data={"lang": "de"}))
    assert not sees(VISITOR, policy, facts)
    assert policy.condition(UNRESTRICTED) == ALL == DocumentPolicy().condition(VISITOR)


@pytest.mark.parametrize("viewer", [ALICE, VISITOR, UNRESTRICTED, Viewer()])
def test_a_viewer_is_stored_whole(viewer: Viewer) -> None:
    assert msgspec.json.decode(json_codec.dump(viewer), type=Viewer) == viewer


_ASKS_FOR_NOBODY: Final = {
    "composition/warming.py": "nothing is stored yet",
}
"""Files that search without saying for whom, and why that shows nothing."""


def test_whoever_searches_says_for_whom() -> None:
    """Nobody is the default, so that a forgotten viewer shows too little; that is a fault too."""
    root = Path(service.__file__).parent
    silent = {
        str(file.relative_to(root))
        for file in root.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"SearchScope", "PipelineRequest"}
        and "viewer" not in {keyword.arg for keyword in node.keywords}
    }
    assert silent == set(_ASKS_FOR_NOBODY)
