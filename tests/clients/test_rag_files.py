"""Files of corpora: uploaded in one request or in many, and imported from a folder."""

from __future__ import annotations

import json
import secrets
import urllib.error
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from google.api_core import exceptions

from service.corpus.storage.upload_store import LIMITS
from tests.clients import aiplatform
from tests.clients.aiplatform import FEES, HOURS, Rag
from tests.clients.discovery import Service
from tests.waiting import LONG


@pytest.fixture(params=["v1", "v1beta1"])
def rag(request: Any, service: Service) -> Rag:
    return Rag(request.param, service.url)


@pytest.fixture
def v1(service: Service) -> Rag:
    return Rag("v1", service.url)


@pytest.fixture
def bucket(buckets: Path) -> Path:
    """Make a bucket with two files, one of them in a folder."""
    folder = buckets / f"b{secrets.token_hex(4)}"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "fees.md").write_text(FEES)
    (folder / "hours.txt").write_text(HOURS)
    return folder


def import_(rag: Rag, corpus: str, *uris: str, **config: Any) -> Any:
    source = rag.types.GcsSource(uris=uris)
    return rag.data.import_rag_files(
        parent=corpus,
        import_rag_files_config=rag.types.ImportRagFilesConfig(gcs_source=source, **config),
    )


def test_an_uploaded_file_is_retrieved_at_once(rag: Rag) -> None:
    corpus = rag.corpus()
    reply = rag.upload(corpus, "fees.md", FEES.encode())
    assert rag.retrieve(corpus, "How much is the renewal of a passport?")
    file = rag.data.get_rag_file(name=reply["ragFile"]["name"])
    assert (file.display_name, file.file_status.state.name) == ("fees.md", "ACTIVE")
    assert "direct_upload_source" in file
    if rag.version == "v1beta1":
        assert (file.size_bytes, file.rag_file_type.name) == (
            len(FEES.encode()),
            "RAG_FILE_TYPE_TXT",
        )


CHUNKING: Any = {"fixed_length_chunking": {"chunk_size": 512, "chunk_overlap": 100}}


def metadata_of(chunking: Any, **config: Any) -> Any:
    transformation = {"rag_file_chunking_config": chunking}
    config["rag_file_transformation_config"] = transformation
    file = {"display_name": "it's fees", "description": "d"}
    return {"rag_file": file, "upload_rag_file_config": config}


@pytest.mark.parametrize("write", [str, json.dumps])
def test_metadata_is_json_or_a_python_literal(v1: Rag, write: Callable[[Any], str]) -> None:
    """One client sends ``str`` of its dict, in snake_case and single quotes."""
    metadata = write(metadata_of(CHUNKING))
    made = v1.upload(v1.corpus(), "fees.md", FEES.encode(), metadata)["ragFile"]
    assert (made["displayName"], made["description"]) == ("it's fees", "d")


def test_a_related_body_is_read_as_well(v1: Rag) -> None:
    corpus = v1.corpus()
    body = (
        b'--b\r\nContent-Type: application/json\r\n\r\n{"ragFile": {"displayName": "hours"}}\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\n" + HOURS.encode() + b"\r\n--b--"
    )
    headers = {"Content-Type": "multipart/related; boundary=b"}
    url = f"{v1.url}/upload/v1/{corpus}/ragFiles:upload"
    with aiplatform.post(url, body, headers) as response:
        assert json.loads(response.read())["ragFile"]["displayName"] == "hours"
    assert v1.retrieve(corpus, "When is the office open?")


@pytest.mark.parametrize(
    ("name", "metadata", "code"),
    [
        ("a.zip", "", 3),
        ("a.md", "no dict", 3),
        ("a.md", "{'nothing': 1}", 3),
        ("a.md", "__import__('os')", 3),
        ("a.md", "[" * 60_000, 3),
        ("a.md", "-" * 60_000 + "1", 3),
        ("a.md", str(metadata_of({"chunk_size": 9000})), 3),
        ("a.md", str(metadata_of({"chunk_size": 50, "chunk_overlap": 200})), 3),
        ("a.md", str(metadata_of({}, rag_file_parsing_config={"llm_parser": {"a": "b"}})), 12),
    ],
)
def test_a_file_that_cannot_be_taken_is_an_error_of_status_200(
    v1: Rag, name: str, metadata: str, code: int
) -> None:
    data = b"PK\x00\x01" if name == "a.zip" else b"text"
    error = v1.upload(v1.corpus(), name, data, metadata)["error"]
    assert error["code"] == code
    assert error["message"]


def test_an_upload_to_no_corpus_is_not_found(v1: Rag) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        v1.upload(f"{v1.location}/ragCorpora/1", "a.md", b"text")
    with refused.value:
        assert refused.value.code == 404


def start(rag: Rag, corpus: str, size: int, mime: str = "text/markdown") -> str:
    """Begin a resumable upload and return its address."""
    headers = {
        "X-Goog-Upload-Protocol": "resumable",
        "X-Goog-Upload-Command": "start",
        "X-Goog-Upload-Header-Content-Length": str(size),
        "X-Goog-Upload-Header-Content-Type": mime,
        "X-Goog-Upload-File-Name": "fees.md",
        "Content-Type": "application/json",
    }
    url = f"{rag.url}/upload/{rag.version}/{corpus}/ragFiles:upload"
    body = b'{"ragFile": {"display_name": "Fees"}, "uploadRagFileConfig": null}'
    with aiplatform.post(url, body, headers) as response:
        assert response.headers["X-Goog-Upload-Status"] == "active"
        return response.headers["X-Goog-Upload-URL"]


def piece(url: str, data: bytes, command: str, offset: int = 0) -> tuple[Any, Any]:
    """Send one piece; return the headers and the body of the reply, whatever its status."""
    headers = {"X-Goog-Upload-Command": command, "X-Goog-Upload-Offset": str(offset)}
    try:
        with aiplatform.post(url, data, headers) as response:
            return response.headers, json.loads(response.read())
    except urllib.error.HTTPError as exc:
        with exc:
            return exc.headers, json.loads(exc.read())


def test_a_file_comes_in_pieces_and_again_after_a_break(rag: Rag) -> None:
    corpus, data = rag.corpus(), FEES.encode()
    url = start(rag, corpus, len(data))
    assert url.startswith(rag.url)
    headers, _ = piece(url, data[:40], "upload")
    assert headers["X-Goog-Upload-Status"] == "active"
    headers, _ = piece(url, b"", "query")
    assert headers["X-Goog-Upload-Size-Received"] == "40"
    piece(url, data[20:60], "upload", 20)
    headers, body = piece(url, data[60:], "upload, finalize", 60)
    assert headers["X-Goog-Upload-Status"] == "final"
    assert body["ragFile"]["displayName"] == "Fees"
    assert rag.retrieve(corpus, "What does the express service cost?")


def test_pieces_that_do_not_fit_change_nothing(v1: Rag) -> None:
    """What is wrong is said, and can be put right: the upload goes on."""
    corpus, data = v1.corpus(), FEES.encode()
    url = start(v1, corpus, len(data))
    for offset in (7, 10**17):
        headers, body = piece(url, data, "upload", offset)
        assert headers["X-Goog-Upload-Status"] == "active"
        assert body["error"]["status"] == "OUT_OF_RANGE"
    headers, body = piece(url, data[:5], "upload, finalize")
    assert body["error"]["details"][0]["reason"] == "UPLOAD_INCOMPLETE"
    headers, body = piece(url, data[5:], "upload, finalize", 5)
    assert (headers["X-Goog-Upload-Status"], body["ragFile"]["displayName"]) == ("final", "Fees")


def test_an_upload_that_is_ended_twice_is_one_file(v1: Rag) -> None:
    """A client that hears no reply ends it again, perhaps while the first is still at work."""
    corpus, data = v1.corpus(), FEES.encode()
    url = start(v1, corpus, len(data))
    piece(url, data, "upload")
    with ThreadPoolExecutor(4) as threads:
        ending = [threads.submit(piece, url, b"", "finalize") for _ in range(4)]
    replies = [end.result()[1] for end in ending]
    made = {reply["ragFile"]["name"] for reply in replies if "ragFile" in reply}
    assert len(made) == 1
    assert {file.name for file in v1.data.list_rag_files(parent=corpus)} == made


def test_an_upload_that_ended_is_not_found(v1: Rag) -> None:
    corpus, data = v1.corpus(), FEES.encode()
    url = start(v1, corpus, len(data))
    assert piece(url, b"", "cancel")[0]["X-Goog-Upload-Status"] == "cancelled"
    headers, body = piece(url, data, "upload, finalize")
    assert (headers["X-Goog-Upload-Status"], body["error"]["code"]) == ("final", 404)


def test_an_upload_of_another_corpus_is_not_found_and_goes_on(v1: Rag) -> None:
    url = start(v1, v1.corpus(), len(FEES.encode()))
    other = f"{v1.url}/upload/v1/{v1.corpus()}/ragFiles:upload?{urlsplit(url).query}"
    for command in ("upload", "cancel", "finalize"):
        assert piece(other, b"x", command)[1]["error"]["code"] == 404
    assert "ragFile" in piece(url, FEES.encode(), "upload, finalize")[1]


def test_a_file_that_cannot_be_read_ends_its_upload(v1: Rag) -> None:
    url = start(v1, v1.corpus(), 4, "application/pdf")
    headers, body = piece(url, b"PK\x00\x01", "upload, finalize")
    assert (headers["X-Goog-Upload-Status"], body["error"]["code"]) == ("final", 400)
    assert piece(url, b"", "query")[1]["error"]["code"] == 404


def test_too_many_unfinished_uploads_are_refused_until_one_ends(v1: Rag) -> None:
    corpus = v1.corpus()
    urls = [start(v1, corpus, 10) for _ in range(LIMITS.uploads_of_corpus)]
    with pytest.raises(urllib.error.HTTPError) as refused:
        start(v1, corpus, 10)
    with refused.value:
        assert refused.value.code == 429
        assert 1 <= int(refused.value.headers["Retry-After"]) <= 60
        error = json.loads(refused.value.read())["error"]
    assert error["details"][0]["reason"] == "TOO_MANY_UPLOADS"
    piece(urls[0], b"", "cancel")
    urls[0] = start(v1, corpus, 10)
    v1.data.delete_rag_corpus(name=corpus).result(timeout=LONG)
    assert piece(urls[0], b"", "query")[1]["error"]["code"] == 404


def test_a_file_that_is_too_large_is_refused_at_once(v1: Rag) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        start(v1, v1.corpus(), (100 << 20) + 1)
    with refused.value:
        assert refused.value.code == 400


@pytest.mark.parametrize("command", ["", "nothing"])
def test_a_piece_says_what_it_is_for(v1: Rag, command: str) -> None:
    headers, body = piece(start(v1, v1.corpus(), 3), b"abc", command)
    assert (headers["X-Goog-Upload-Status"], body["error"]["code"]) == ("active", 400)


def test_an_upload_of_metadata_makes_a_file_that_says_nothing(rag: Rag) -> None:
    corpus = rag.corpus()
    made = rag.data.upload_rag_file(
        parent=corpus,
        rag_file=rag.types.RagFile(display_name="Empty", description="d"),
        upload_rag_file_config=rag.types.UploadRagFileConfig(),
    ).rag_file
    assert (made.display_name, made.description) == ("Empty", "d")
    assert rag.retrieve(corpus, "Empty") == []


def test_a_folder_and_a_file_of_a_bucket_are_imported(rag: Rag, bucket: Path) -> None:
    corpus = rag.corpus()
    uris = (f"gs://{bucket.name}/docs", f"gs://{bucket.name}/hours.txt")
    operation = import_(rag, corpus, *uris, max_embedding_requests_per_min=900)
    done = operation.result(timeout=LONG)
    assert (done.imported_rag_files_count, done.failed_rag_files_count) == (2, 0)
    assert operation.metadata.progress_percentage == 100
    assert operation.metadata.import_rag_files_config.gcs_source.uris == list(uris)
    assert str(operation.metadata.rag_corpus_id) == corpus.rpartition("/")[2]
    files = {file.display_name: file for file in rag.data.list_rag_files(parent=corpus)}
    assert list(files["fees.md"].gcs_source.uris) == [f"{uris[0]}/fees.md"]
    (context, *_) = rag.retrieve(corpus, "How much is the renewal of a passport?")
    assert context.source_uri == f"{uris[0]}/fees.md"
    assert context.source_display_name == "fees.md"


def test_what_did_not_change_is_skipped(v1: Rag, bucket: Path) -> None:
    corpus, uri = v1.corpus(), f"gs://{bucket.name}"
    import_(v1, corpus, uri).result(timeout=LONG)
    (bucket / "hours.txt").write_text(HOURS.replace("10:00", "11:00"))
    done = import_(v1, corpus, uri).result(timeout=LONG)
    assert (done.imported_rag_files_count, done.skipped_rag_files_count) == (1, 1)
    assert len(list(v1.data.list_rag_files(parent=corpus))) == 2


def test_a_bad_file_does_not_stop_the_rest(v1: Rag, bucket: Path) -> None:
    (bucket / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    done = import_(v1, v1.corpus(), f"gs://{bucket.name}").result(timeout=LONG)
    assert (done.imported_rag_files_count, done.failed_rag_files_count) == (2, 1)


@pytest.mark.parametrize(
    "uri", ["gs://nowhere/a.md", "gs://{bucket}/none.md", "gs://{bucket}/../../etc/passwd"]
)
def test_what_is_not_in_a_bucket_is_not_found(v1: Rag, bucket: Path, uri: str) -> None:
    with pytest.raises(exceptions.NotFound):
        import_(v1, v1.corpus(), uri.format(bucket=bucket.name)).result(timeout=LONG)


def test_a_link_out_of_the_folder_is_not_followed(v1: Rag, bucket: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("A secret.")
    (bucket / "link.txt").symlink_to(tmp_path / "secret.txt")
    done = import_(v1, v1.corpus(), f"gs://{bucket.name}").result(timeout=LONG)
    assert (done.imported_rag_files_count, done.failed_rag_files_count) == (2, 1)
    with pytest.raises(exceptions.NotFound):
        import_(v1, v1.corpus(), f"gs://{bucket.name}/link.txt").result(timeout=LONG)


def test_other_sources_end_the_operation_as_unimplemented(v1: Rag) -> None:
    source = {"resource_ids": [{"resource_id": "1", "resource_type": "RESOURCE_TYPE_FOLDER"}]}
    operation = v1.data.import_rag_files(
        parent=v1.corpus(),
        import_rag_files_config=v1.types.ImportRagFilesConfig(google_drive_source=source),
    )
    assert operation.operation.error.code == 12
    with pytest.raises(exceptions.MethodNotImplemented):
        operation.result(timeout=LONG)


@pytest.mark.parametrize(
    ("config", "field"),
    [
        (None, "importRagFilesConfig"),
        ({"gcsSource": {}}, "importRagFilesConfig.gcsSource.uris"),
        ({"gcsSource": {"uris": ["/etc"]}}, "importRagFilesConfig.gcsSource.uris[0]"),
        ({"gcsSource": {"uris": ["gs://../etc"]}}, "importRagFilesConfig.gcsSource.uris[0]"),
    ],
)
def test_an_import_of_nothing_is_refused(v1: Rag, config: Any, field: str) -> None:
    body = {"importRagFilesConfig": config}
    refused = v1.call(f"{v1.corpus()}/ragFiles:import", "POST", body)
    assert refused.status == 400
    assert refused.body["error"]["details"][1]["fieldViolations"][0]["field"] == field


def test_a_deleted_file_is_not_retrieved(rag: Rag) -> None:
    corpus = rag.corpus(fees=FEES, hours=HOURS)
    files = {file.display_name: file.name for file in rag.data.list_rag_files(parent=corpus)}
    operation = rag.data.delete_rag_file(name=files["fees.md"])
    operation.result(timeout=LONG)
    assert operation.operation.name.startswith(f"{files['fees.md']}/operations/")
    found = rag.retrieve(corpus, "How much is the renewal of a passport at the office?")
    assert {context.source_display_name for context in found} == {"hours.md"}
    with pytest.raises(exceptions.NotFound):
        rag.data.get_rag_file(name=files["fees.md"])
    if rag.version == "v1beta1":
        assert rag.data.get_rag_corpus(name=corpus).rag_files_count == 1


def test_pages_of_files_join_without_gaps(rag: Rag) -> None:
    corpus = rag.corpus(**{f"file{number}": HOURS for number in range(5)})
    pager = rag.data.list_rag_files(request={"parent": corpus, "page_size": 2})
    assert [len(list(page.rag_files)) for page in pager.pages] == [2, 2, 1]


def test_a_bucket_never_holds_what_no_file_can_be_called(v1: Rag) -> None:
    for key in ("\0", "x" * 5000):
        with pytest.raises(exceptions.NotFound):
            import_(v1, v1.corpus(), f"gs://bucket/{key}").result()
