"""What is known and not offered answers 501, in the versions that know it; elsewhere 404."""

from __future__ import annotations

import re

import pytest

from service.api.unimplemented_methods import ABSENT, Absent
from tests.clients.discovery import Service, call

VERSIONS = ("v1", "v1beta", "v1alpha", "v1beta1")


@pytest.mark.parametrize("absent", ABSENT, ids=lambda absent: absent.name)
def test_a_method_that_is_not_offered_says_so_by_name(service: Service, absent: Absent) -> None:
    for path in absent.paths:
        public = re.sub(r"{\w+:str}", "x", path).replace("/:", ":").removeprefix("/v1/")
        for version in VERSIONS:
            body = {"anything": 1} if absent.method in {"POST", "PATCH"} else None
            reply = call(f"{service.url}/{version}/{public}?some=thing", absent.method, body)
            if version in absent.versions:
                assert reply.status == 501
                assert reply.body["error"]["status"] == "UNIMPLEMENTED"
                assert absent.name in reply.body["error"]["message"]
            else:
                assert reply.status == 404
                assert reply.body["error"]["status"] == "NOT_FOUND"
