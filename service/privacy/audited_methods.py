"""Say which methods are administrative acts, each by the name of its handler."""

from __future__ import annotations

from typing import Final

EACH: Final = {
    "create_data_store": "CreateDataStore",
    "update_data_store": "UpdateDataStore",
    "delete_data_store": "DeleteDataStore",
    "create_engine": "CreateEngine",
    "update_engine": "UpdateEngine",
    "delete_engine": "DeleteEngine",
    "create_rag_corpus": "CreateRagCorpus",
    "update_rag_corpus": "UpdateRagCorpus",
    "delete_rag_corpus": "DeleteRagCorpus",
    "update_rag_engine_config": "UpdateRagEngineConfig",
    "import_documents": "ImportDocuments",
    "purge_documents": "PurgeDocuments",
    "import_rag_files": "ImportRagFiles",
    "import_user_events": "ImportUserEvents",
    "import_user_events_of_location": "ImportUserEvents",
    "purge_user_events": "PurgeUserEvents",
    "import_suggestions": "ImportCompletionSuggestions",
    "purge_suggestions": "PurgeCompletionSuggestions",
    "import_denied": "ImportSuggestionDenyListEntries",
    "purge_denied": "PurgeSuggestionDenyListEntries",
    "cancel_operation": "CancelOperation",
    "delete_operation": "DeleteOperation",
    "download_user_data": "DownloadUserData",
}
"""Written one by one."""

COUNTED: Final = {
    "create_document": "CreateDocument",
    "update_document": "UpdateDocument",
    "delete_document": "DeleteDocument",
    "upload_rag_file": "UploadRagFile",
    "delete_rag_file": "DeleteRagFile",
}
"""Done by programs, thousands at a time: a log that only grows holds their number."""
