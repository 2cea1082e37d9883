"""What goes into a generating model and comes out: ``Content`` and ``Part`` (aiplatform)."""

from __future__ import annotations

from sessions.resources.base import Resource, Struct, at_most_one
from sessions.resources.enums import Documented


class NullValue(Documented):
    """The value null (google.protobuf.NullValue)."""

    NULL_VALUE = 0


class Blob(Resource):
    """Bytes of a media type."""

    mime_type: str = ""
    data: bytes = b""


class FileData(Resource):
    """Where a file lies."""

    mime_type: str = ""
    file_uri: str = ""


class PartialArg(Resource):
    """The next of one argument of a call; ``json_path`` (RFC 9535) says of which."""

    null_value: NullValue | None = None
    number_value: float | None = None
    string_value: str | None = None
    bool_value: bool | None = None
    json_path: str = ""
    will_continue: bool = False

    def __post_init__(self) -> None:
        at_most_one(
            "delta",
            nullValue=self.null_value,
            numberValue=self.number_value,
            stringValue=self.string_value,
            boolValue=self.bool_value,
        )


class FunctionCall(Resource):
    """A call that a model wants made."""

    name: str = ""
    args: Struct | None = None
    partial_args: tuple[PartialArg, ...] = ()
    will_continue: bool = False
    id: str = ""


class FunctionResponse(Resource):
    """What a function gave back."""

    name: str = ""
    response: Struct | None = None
    parts: tuple[Struct, ...] = ()
    id: str = ""


class Part(Resource):
    """One piece of a content."""

    text: str | None = None
    inline_data: Blob | None = None
    file_data: FileData | None = None
    function_call: FunctionCall | None = None
    function_response: FunctionResponse | None = None
    executable_code: Struct | None = None
    code_execution_result: Struct | None = None
    thought: bool = False
    thought_signature: bytes = b""
    video_metadata: Struct | None = None
    media_resolution: Struct | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "data",
            text=self.text,
            inlineData=self.inline_data,
            fileData=self.file_data,
            functionCall=self.function_call,
            functionResponse=self.function_response,
            executableCode=self.executable_code,
            codeExecutionResult=self.code_execution_result,
        )


class Content(Resource):
    """What one role says."""

    role: str = ""
    parts: tuple[Part, ...] = ()
