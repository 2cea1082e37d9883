"""How far the indexing is: ``BatchGetDocumentsMetadataRequest`` (discoveryengine)."""

from __future__ import annotations

from sessions.resources.base import Resource, Timestamp, at_most_one
from sessions.resources.enums import Documented


class State(Documented):
    """Whether a document was found in the index."""

    STATE_UNSPECIFIED = 0
    INDEXED = 1
    NOT_IN_TARGET_SITE = 2
    NOT_IN_INDEX = 3


class UrisMatcher(Resource):
    """Match documents by their URIs."""

    uris: tuple[str, ...] = ()


class FhirMatcher(Resource):
    """Match documents by FHIR resource names."""

    fhir_resources: tuple[str, ...] = ()


class Matcher(Resource):
    """Which documents are asked for."""

    uris_matcher: UrisMatcher | None = None
    fhir_matcher: FhirMatcher | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "matcher",
            urisMatcher=self.uris_matcher,
            fhirMatcher=self.fhir_matcher,
        )


class BatchGetDocumentsMetadataRequest(Resource):
    """Ask for the indexing state of documents."""

    parent: str = ""
    matcher: Matcher | None = None


class MatcherValue(Resource):
    """The value that matched."""

    uri: str | None = None
    fhir_resource: str | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "matcher_value",
            uri=self.uri,
            fhirResource=self.fhir_resource,
        )


class DocumentMetadata(Resource):
    """Indexing state of one document."""

    matcher_value: MatcherValue | None = None
    state: State = State.STATE_UNSPECIFIED
    last_refreshed_time: Timestamp | None = None
    data_ingestion_source: str = ""


class BatchGetDocumentsMetadataResponse(Resource):
    """Indexing states, one for each value asked for."""

    documents_metadata: tuple[DocumentMetadata, ...] = ()
