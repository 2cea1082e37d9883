"""What clients may write is read; what they may not is refused with the path of the field."""

from __future__ import annotations

import datetime as dt

import pytest

from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources import (
    answer_query,
    answers,
    base,
    conversations,
    documents,
    generate_content,
    search_requests,
    user_events,
)
from sessions.resources import sessions as session_resources

Request = answer_query.AnswerQueryRequest
Session = session_resources.Session
Document = documents.Document

REFUSED: list[tuple[type[base.Resource], str, str, str]] = [
    (Request, "[]", "", "expected an object, not a list"),
    (Request, "null", "", "expected an object, not null"),
    (Request, '"a"', "", "expected an object, not a string"),
    (Request, '{"quary": {}}', "quary", "did you mean 'query'?"),
    (Request, '{"zzzzzzzz": 1}', "zzzzzzzz", "known are servingConfig, query"),
    (Request, '{"query": {"Text": "a"}}', "query.Text", "did you mean 'text'?"),
    (Request, '{"query": "a"}', "query", "expected an object, not a string"),
    (Request, '{"query": {"text": 3}}', "query.text", "expected a string, not a number"),
    (Request, '{"asynchronousMode": "true"}', "asynchronousMode", "expected true or false"),
    (Request, '{"asynchronousMode": 1}', "asynchronousMode", "expected true or false"),
    (
        Request,
        '{"answerGenerationSpec": {"modelSpec": []}}',
        "answerGenerationSpec.modelSpec",
        "expected an object, not a list",
    ),
    (
        Request,
        '{"searchSpec": {"searchParams": {}, "searchResultList": {}}}',
        "searchSpec.searchResultList",
        "only one of searchParams and searchResultList may be set",
    ),
    (
        Request,
        '{"searchSpec": {"searchParams": {"searchResultMode": "documents"}}}',
        "searchSpec.searchParams.searchResultMode",
        "known are SEARCH_RESULT_MODE_UNSPECIFIED, DOCUMENTS, CHUNKS",
    ),
    (
        Request,
        '{"searchSpec": {"searchParams": {"searchResultMode": 3}}}',
        "searchSpec.searchParams.searchResultMode",
        "no such value",
    ),
    (
        Request,
        '{"searchSpec": {"searchParams": {"searchResultMode": true}}}',
        "searchSpec.searchParams.searchResultMode",
        "expected the name or number",
    ),
    (
        Request,
        '{"queryUnderstandingSpec": {"queryClassificationSpec": {"types": [1, "X"]}}}',
        "queryUnderstandingSpec.queryClassificationSpec.types[1]",
        "no such value",
    ),
    (
        Request,
        '{"searchSpec": {"searchParams": {"maxReturnResults": 2147483648}}}',
        "searchSpec.searchParams.maxReturnResults",
        "out of range; an int32 is at most 2^31 - 1",
    ),
    (
        Request,
        '{"searchSpec": {"searchParams": {"maxReturnResults": 1.5}}}',
        "searchSpec.searchParams.maxReturnResults",
        "expected a whole number",
    ),
    (
        Request,
        '{"searchSpec": {"searchParams": {"maxReturnResults": true}}}',
        "searchSpec.searchParams.maxReturnResults",
        "expected a whole number, not a boolean",
    ),
    (Request, '{"userLabels": {"a": 1}}', "userLabels.a", "expected a string"),
    (Request, '{"userLabels": {"a": null}}', "userLabels.a", "not null"),
    (Request, '{"user_pseudo_id": "a", "userPseudoId": "b"}', "userPseudoId", "given twice"),
    (Session, '{"turns": [{}, {}, {"query": {"text": []}}]}', "turns[2].query.text", "a string"),
    (Session, '{"turns": [null]}', "turns[0]", "expected an object, not null"),
    (Session, '{"turns": {}}', "turns", "expected a list, not an object"),
    (Session, '{"labels": ["a", null]}', "labels[1]", "expected a string, not null"),
    (Session, '{"startTime": "2026-01-31"}', "startTime", "expected a time such as"),
    (Session, '{"startTime": "2026-01-31T00:00:00"}', "startTime", "expected a time such as"),
    (Session, '{"startTime": "2026-02-30T00:00:00Z"}', "startTime", "expected a time such as"),
    (Session, '{"startTime": "0001-01-01T00:00:00+01:00"}', "startTime", "outside the years"),
    (Session, '{"startTime": 5}', "startTime", "expected a string"),
    (Document, '{"structData": []}', "structData", "expected an object"),
    (Document, '{"structData": {}, "jsonData": ""}', "jsonData", "only one of"),
    (Document, '{"content": {"rawBytes": "a"}}', "content.rawBytes", "base64"),
    (Document, '{"content": {"rawBytes": "é"}}', "content.rawBytes", "base64"),
    (answers.Citation, '{"startIndex": "1.5"}', "startIndex", "expected a whole number"),
    (answers.Citation, '{"startIndex": 9223372036854775808}', "startIndex", "at most 2^63 - 1"),
    (answers.Citation, '{"startIndex": "-9223372036854775809"}', "startIndex", "at most 2^63 - 1"),
    (answers.Answer, '{"groundingScore": "NaN"}', "groundingScore", "NaN and infinities"),
    (answers.Answer, '{"groundingScore": "1e999"}', "groundingScore", "out of range"),
    (answers.Answer, '{"groundingScore": false}', "groundingScore", "expected a number"),
    (answers.Answer, f'{{"groundingScore": 1{"0" * 400}}}', "groundingScore", "out of range"),
    (
        user_events.MediaInfo,
        '{"mediaProgressDuration": "3"}',
        "mediaProgressDuration",
        "expected a duration such as 3.5s",
    ),
]

READ: list[tuple[type[base.Resource], str, str]] = [
    (Request, "", "{}"),
    (Request, "  \n", "{}"),
    (
        Request,
        '{"query": null, "relatedQuestionsSpec": {"enable": null}}',
        '{"relatedQuestionsSpec":{}}',
    ),
    (
        Request,
        '{"related_questions_spec": {"enable": true}}',
        '{"relatedQuestionsSpec":{"enable":true}}',
    ),
    (search_requests.SearchRequest, '{"pageSize": "3"}', '{"pageSize":3}'),
    (
        search_requests.SearchRequest,
        '{"pageSize": 3.0, "offset": "4.00"}',
        '{"pageSize":3,"offset":4}',
    ),
    (search_requests.SearchRequest, '{"relevanceThreshold": 2}', '{"relevanceThreshold":"LOW"}'),
    (search_requests.SearchRequest, '{"relevanceThreshold": "2"}', '{"relevanceThreshold":"LOW"}'),
    (search_requests.SearchRequest, '{"relevanceThreshold": 2.0}', '{"relevanceThreshold":"LOW"}'),
    (search_requests.SearchRequest, '{"relevanceThreshold": 0}', "{}"),
    (
        search_requests.SearchRequest,
        '{"relevance_threshold": "HIGH"}',
        '{"relevanceThreshold":"HIGH"}',
    ),
    (
        search_requests.SearchRequest,
        '{"params": {"search_type": null}}',
        '{"params":{"search_type":null}}',
    ),
    (answers.Citation, '{"startIndex": 5, "endIndex": "9.0"}', '{"startIndex":"5","endIndex":"9"}'),
    (answers.Citation, '{"startIndex": "007", "endIndex": "-0"}', '{"startIndex":"7"}'),
    (answers.Answer, '{"groundingScore": "5e-1"}', '{"groundingScore":0.5}'),
    (answers.Answer, '{"groundingScore": 1}', '{"groundingScore":1.0}'),
    (answers.Blob, '{"data": "-_8"}', '{"data":"+/8="}'),
    (answers.Blob, '{"data": "YQ"}', '{"data":"YQ=="}'),
    (Session, '{"startTime": "2026-01-31T01:00:00+01:00"}', '{"startTime":"2026-01-31T00:00:00Z"}'),
    (
        Session,
        '{"startTime": "2026-01-31T00:00:00.5Z"}',
        '{"startTime":"2026-01-31T00:00:00.500000Z"}',
    ),
    (
        Session,
        '{"startTime": "2026-01-31T00:00:00.123456789Z"}',
        '{"startTime":"2026-01-31T00:00:00.123457Z"}',
    ),
    (
        user_events.MediaInfo,
        '{"mediaProgressDuration": "3.5s"}',
        '{"mediaProgressDuration":"3.500s"}',
    ),
    (
        user_events.MediaInfo,
        '{"mediaProgressDuration": "-3.00s"}',
        '{"mediaProgressDuration":"-3s"}',
    ),
    (Document, '{"structData": {"a_b": [1, null]}}', '{"structData":{"a_b":[1,null]}}'),
    (answers.QueryClassificationInfo, '{"type_": 1}', '{"type":"ADVERSARIAL_QUERY"}'),
    (conversations.Conversation, '{"state": "IN_PROGRESS"}', '{"state":"IN_PROGRESS"}'),
]


@pytest.mark.parametrize(("type_", "body", "field", "message"), REFUSED)
def test_wrong_input_is_refused_by_its_path(
    type_: type[base.Resource], body: str, field: str, message: str
) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        json_codec.decode(type_, body.encode())
    assert refusal.value.field == field
    assert message in refusal.value.message
    assert refusal.value.message.startswith(f"{field}: " if field else "")


@pytest.mark.parametrize(("type_", "body", "canonical"), READ)
def test_other_spellings_are_read(type_: type[base.Resource], body: str, canonical: str) -> None:
    assert json_codec.encode(json_codec.decode(type_, body.encode())).decode() == canonical


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"{} {}",
        b"{'a': 1}",
        b"\xef\xbb\xbf{}",
        b'{"session": "\xff"}',
        b'{"session": "\\ud800"}',
        b'{"query": NaN}',
        b'{"query": 1e999}',
        b'{"query": ' + b"1" * 5000 + b"}",
    ],
)
def test_what_is_not_json_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        json_codec.decode(Request, body)
    assert refusal.value.reason == "MALFORMED_JSON"
    assert refusal.value.field == ""


def test_generation_routes_ignore_unknown_fields_and_nothing_else() -> None:
    body = (
        b'{"contents": [{"parts": [{"text": "a", "new": {}}]}], "newer": 1, "labels": {"a": "b"}}'
    )
    request = json_codec.decode(generate_content.GenerateContentRequest, body, ignore_unknown=True)
    assert (
        json_codec.encode(request) == b'{"contents":[{"parts":[{"text":"a"}]}],"labels":{"a":"b"}}'
    )
    with pytest.raises(InvalidArgument) as refusal:
        json_codec.decode(
            generate_content.GenerateContentRequest,
            b'{"newer": 1, "safetySettings": [{"category": "NEWER"}]}',
            ignore_unknown=True,
        )
    assert refusal.value.field == "safetySettings[0].category"


def test_times_come_out_in_utc_and_aware() -> None:
    start = json_codec.decode(Session, b'{"startTime": "2026-01-31T01:00:00-07:00"}').start_time
    assert start == dt.datetime(2026, 1, 31, 8, tzinfo=dt.UTC)
    assert start is not None
    assert start.tzinfo is dt.UTC


def test_line_ends_of_other_kinds_are_escaped() -> None:
    """Readers of event streams split lines there."""
    text = "a\u2028b\u2029c\u0085d"
    line = json_codec.one_line(json_codec.encode(session_resources.Query(text=text)))
    assert line == b'{"text":"a\\u2028b\\u2029c\\u0085d"}'
    assert json_codec.decode(session_resources.Query, line).text == text


def test_the_fields_of_a_body_are_known_by_attribute() -> None:
    body = b'{"displayName": "a", "is_pinned": false, "labels": null}'
    assert json_codec.present(Session, body) == {"display_name", "is_pinned"}
