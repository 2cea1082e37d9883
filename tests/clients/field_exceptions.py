"""The documented output fields that nothing here can write, with the reason of each.

The guide shows this list (service/guide/limits.md); `./dev bench fields` holds it against what the
clients have read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple


class FieldException(NamedTuple):
    """A group of fields that belong together, and why nothing writes them.

    *names* are messages as `field_coverage` names them, with everything in them, or fields or enum
    values of a message, as ``message.field`` or ``message.field=VALUE``.
    """

    what: str
    reason: str
    names: tuple[str, ...]


_ANSWER_BLOB: Final = "discoveryengine.Answer.BlobAttachment"
_SUMMARY_BLOB: Final = "discoveryengine.SearchResponse.Summary.BlobAttachment"
_FEEDBACK: Final = "aiplatform.GenerateContentResponse.PromptFeedback"

EXCEPTIONS: Final = (
    FieldException(
        "Places of Google Maps and the token of its widget",
        "They come from Google's own service.",
        (
            "aiplatform.GroundingChunk.maps",
            "aiplatform.GroundingChunk.Maps",
            "aiplatform.GroundingChunk.Maps.PlaceAnswerSources",
            "aiplatform.GroundingChunk.Maps.PlaceAnswerSources.ReviewSnippet",
            "aiplatform.GroundingChunk.Maps.Route",
            "aiplatform.GroundingMetadata.google_maps_widget_context_token",
        ),
    ),
    FieldException(
        "Addresses to report a source to",
        "They lead to Google's own service.",
        (
            "aiplatform.GroundingMetadata.source_flagging_uris",
            "aiplatform.GroundingMetadata.SourceFlaggingUri",
        ),
    ),
    FieldException(
        "`searchEntryPoint.sdkBlob`",
        "Only Google's own app kits read it.",
        ("aiplatform.SearchEntryPoint.sdk_blob",),
    ),
    FieldException(
        "Blocks by Model Armor",
        "That is Google's own service; what is blocked here has another reason.",
        (
            "aiplatform.Candidate.finish_reason=MODEL_ARMOR",
            f"{_FEEDBACK}.block_reason=MODEL_ARMOR",
        ),
    ),
    FieldException(
        "Code that a model runs, its output and its figures",
        "Nothing that a model writes is run here.",
        (
            "aiplatform.Part.executable_code",
            "aiplatform.Part.code_execution_result",
            "aiplatform.ExecutableCode",
            "aiplatform.CodeExecutionResult",
            f"{_ANSWER_BLOB}.attribution_type=GENERATED",
            f"{_SUMMARY_BLOB}.attribution_type=GENERATED",
        ),
    ),
    FieldException(
        "Video, audio and files as contents",
        "A model is told text and images, and calls of functions.",
        (
            "aiplatform.Part.video_metadata",
            "aiplatform.VideoMetadata",
            "aiplatform.ModalityTokenCount.modality=VIDEO",
            "aiplatform.ModalityTokenCount.modality=AUDIO",
            "aiplatform.ModalityTokenCount.modality=DOCUMENT",
        ),
    ),
    FieldException(
        "Files and images that a model makes",
        "Candidates are text and function calls; images are read, not made.",
        (
            "aiplatform.Part.inline_data",
            "aiplatform.Part.file_data",
            "aiplatform.Blob",
            "aiplatform.FileData",
        ),
    ),
    FieldException(
        "Results of functions within a candidate",
        "Requests bring them; a model only calls.",
        (
            "aiplatform.Part.function_response",
            "aiplatform.FunctionResponse",
            "aiplatform.FunctionResponsePart",
            "aiplatform.FunctionResponseBlob",
            "aiplatform.FunctionResponseFileData",
        ),
    ),
    FieldException(
        "`thoughtSignature`",
        "No OpenAI-compatible model signs its thoughts.",
        ("aiplatform.Part.thought_signature",),
    ),
)


def excused(message: str, fields: Iterable[str]) -> Sequence[str]:
    """Return which *fields* of *message*, as `field_coverage` names both, have a reason."""
    names = {name for one in EXCEPTIONS for name in one.names}
    return [field for field in fields if not names.isdisjoint(_names_of(message, field))]


def stale(read: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """Return what is excused although a client has *read* it: (message, fields) for each."""
    return [f"{message}.{field}" for message, fields in read for field in excused(message, fields)]


def _names_of(message: str, field: str) -> tuple[str, ...]:
    name = f"{message}.{field}"
    return message, name, name.partition("=")[0]
