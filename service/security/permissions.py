"""Who may do what: the one table of actions, resources and principals.

Every method of the public APIs, and every frame of a socket, is an action on a kind of resource.
What may be done within the boundary of a credential, and to what is one's own, are further
questions: `authorisation` asks all three. A method without a row is done for nobody.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Final, NamedTuple

from service.security.principals import PEOPLE, PrincipalKind
from sessions.errors import PermissionDenied


class ResourceKind(enum.StrEnum):
    """What is acted on, in the words of the guide."""

    SESSIONS = "sessions"
    CONVERSATIONS = "conversations"
    ANSWERS = "answers"
    SEARCH_RESULTS = "search results"
    COMPLETIONS = "completed queries"
    USER_EVENTS = "user events"
    SUGGESTIONS = "lists of suggestions"
    DOCUMENTS = "documents"
    DOCUMENT_TEXTS = "texts of documents"
    READ_TOKENS = "tokens for one document"
    DATA_STORES = "data stores"
    ENGINES = "engines"
    CORPORA = "corpora and their files"
    CONTEXTS = "contexts"
    TEXTS = "generated texts"
    MODELS = "models"
    OPERATIONS = "operations"
    CONFIGURATION = "configuration"
    WIDGETS = "configurations of chats"
    USER_TOKENS = "tokens of users"
    USER_DATA = "what is kept of a user"
    VISITORS = "visitors"
    METRICS = "metrics"


class AccessKind(enum.StrEnum):
    """What is done to it, in the words of the guide."""

    READ = "read"
    LIST = "list"
    REQUEST = "ask for"
    WRITE = "write"
    IMPORT = "import and purge"
    FORGET = "forget"
    EXPORT = "export and purge"
    MERGE = "merge into users"


class Rule(NamedTuple):
    """One row: an action on a kind of resource, who may do it, and the methods that do."""

    action: AccessKind
    resource: ResourceKind
    kinds: frozenset[PrincipalKind]
    methods: tuple[str, ...]


_ALL: Final = frozenset(PrincipalKind) - {PrincipalKind.GRANT, PrincipalKind.NOBODY}
_PROGRAMS: Final = _ALL - {PrincipalKind.USER, PrincipalKind.VISITOR}
_ASKING: Final = _ALL - {PrincipalKind.READER}
_WRITING: Final = _PROGRAMS - {PrincipalKind.READER}
_KEEPERS: Final = frozenset({PrincipalKind.OPERATOR, PrincipalKind.INTEGRATION})
_BACK_END: Final = frozenset({PrincipalKind.OPERATOR, PrincipalKind.SERVER})
_OPERATOR: Final = frozenset({PrincipalKind.OPERATOR})


def _rule(
    action: AccessKind, resource: ResourceKind, kinds: frozenset[PrincipalKind], methods: str
) -> Rule:
    return Rule(action, resource, kinds, tuple(methods.split()))


RULES: Final = (
    _rule(
        AccessKind.REQUEST,
        ResourceKind.ANSWERS,
        _ASKING,
        "AnswerQuery StreamAnswerQuery ConverseConversation answer converse cancel",
    ),
    _rule(AccessKind.READ, ResourceKind.ANSWERS, _ALL, "GetAnswer FollowAnswer resume"),
    _rule(AccessKind.READ, ResourceKind.SESSIONS, _ALL, "GetSession ListSessions"),
    _rule(
        AccessKind.WRITE,
        ResourceKind.SESSIONS,
        _ASKING,
        "CreateSession UpdateSession DeleteSession",
    ),
    _rule(AccessKind.READ, ResourceKind.CONVERSATIONS, _ALL, "GetConversation ListConversations"),
    _rule(
        AccessKind.WRITE,
        ResourceKind.CONVERSATIONS,
        _ASKING,
        "CreateConversation UpdateConversation DeleteConversation",
    ),
    _rule(AccessKind.REQUEST, ResourceKind.SEARCH_RESULTS, _ALL, "Search SearchLite"),
    _rule(
        AccessKind.REQUEST, ResourceKind.COMPLETIONS, _ALL, "CompleteQuery AdvancedCompleteQuery"
    ),
    _rule(AccessKind.WRITE, ResourceKind.USER_EVENTS, _ASKING, "WriteUserEvent CollectUserEvent"),
    _rule(
        AccessKind.IMPORT, ResourceKind.USER_EVENTS, _WRITING, "ImportUserEvents PurgeUserEvents"
    ),
    _rule(
        AccessKind.IMPORT,
        ResourceKind.SUGGESTIONS,
        _KEEPERS,
        "ImportCompletionSuggestions PurgeCompletionSuggestions"
        " ImportSuggestionDenyListEntries PurgeSuggestionDenyListEntries",
    ),
    _rule(AccessKind.FORGET, ResourceKind.SUGGESTIONS, _BACK_END, "RemoveSuggestion"),
    _rule(AccessKind.READ, ResourceKind.DOCUMENTS, _ALL, "GetDocument"),
    _rule(
        AccessKind.READ,
        ResourceKind.DOCUMENT_TEXTS,
        _ALL | {PrincipalKind.GRANT},
        "GetProcessedDocument",
    ),
    _rule(AccessKind.REQUEST, ResourceKind.READ_TOKENS, _ALL, "MintReadToken"),
    _rule(
        AccessKind.LIST,
        ResourceKind.DOCUMENTS,
        _PROGRAMS,
        "ListDocuments BatchGetDocumentsMetadata",
    ),
    _rule(
        AccessKind.WRITE,
        ResourceKind.DOCUMENTS,
        _WRITING,
        "CreateDocument UpdateDocument DeleteDocument ImportDocuments PurgeDocuments",
    ),
    _rule(AccessKind.READ, ResourceKind.DATA_STORES, _PROGRAMS, "GetDataStore ListDataStores"),
    _rule(
        AccessKind.WRITE,
        ResourceKind.DATA_STORES,
        _OPERATOR,
        "CreateDataStore UpdateDataStore DeleteDataStore",
    ),
    _rule(AccessKind.READ, ResourceKind.ENGINES, _PROGRAMS, "GetEngine ListEngines"),
    _rule(
        AccessKind.WRITE, ResourceKind.ENGINES, _OPERATOR, "CreateEngine UpdateEngine DeleteEngine"
    ),
    _rule(
        AccessKind.READ,
        ResourceKind.CORPORA,
        _PROGRAMS,
        "GetRagCorpus ListRagCorpora GetRagFile ListRagFiles",
    ),
    _rule(
        AccessKind.WRITE,
        ResourceKind.CORPORA,
        _KEEPERS,
        "CreateRagCorpus UpdateRagCorpus DeleteRagCorpus"
        " UploadRagFile UploadRagFileBytes ImportRagFiles DeleteRagFile",
    ),
    _rule(
        AccessKind.REQUEST,
        ResourceKind.CONTEXTS,
        _WRITING,
        "RetrieveContexts AsyncRetrieveContexts AugmentPrompt AskContexts",
    ),
    _rule(
        AccessKind.REQUEST,
        ResourceKind.TEXTS,
        _WRITING,
        "GenerateContent StreamGenerateContent CountTokens ComputeTokens"
        " GenerateGroundedContent CheckGrounding CorroborateContent Rank"
        " Predict EmbedContent BatchEmbedContents",
    ),
    _rule(AccessKind.READ, ResourceKind.MODELS, _PROGRAMS, "GetPublisherModel ListPublisherModels"),
    _rule(
        AccessKind.READ,
        ResourceKind.OPERATIONS,
        _ALL,
        "GetOperation ListOperations WaitOperation",
    ),
    _rule(AccessKind.WRITE, ResourceKind.OPERATIONS, _WRITING, "CancelOperation DeleteOperation"),
    _rule(AccessKind.READ, ResourceKind.CONFIGURATION, _PROGRAMS, "GetRagEngineConfig"),
    _rule(AccessKind.WRITE, ResourceKind.CONFIGURATION, _OPERATOR, "UpdateRagEngineConfig"),
    # A chat shows it before anybody has asked anything; where visitors are welcome, to all of them.
    _rule(AccessKind.READ, ResourceKind.WIDGETS, _ALL | {PrincipalKind.NOBODY}, "GetWidgetConfig"),
    _rule(
        AccessKind.EXPORT,
        ResourceKind.USER_DATA,
        _BACK_END | PEOPLE,
        "ExportUserData DownloadUserData PurgeUserData",
    ),
    _rule(AccessKind.REQUEST, ResourceKind.USER_TOKENS, _BACK_END, "MintToken"),
    # A visitor renews its own; who brings nothing comes that far only where that is welcome.
    _rule(
        AccessKind.REQUEST,
        ResourceKind.VISITORS,
        _BACK_END | {PrincipalKind.VISITOR, PrincipalKind.NOBODY},
        "MintVisitorToken",
    ),
    _rule(
        AccessKind.MERGE,
        ResourceKind.VISITORS,
        _BACK_END | {PrincipalKind.USER},
        "MergeVisitor",
    ),
    _rule(
        AccessKind.READ,
        ResourceKind.METRICS,
        frozenset({PrincipalKind.OPERATOR, PrincipalKind.READER}),
        "Metrics",
    ),
)
"""All of it; methods by their names in the documents, frames of sockets by their type."""

_BY_METHOD: Final[Mapping[str, Rule]] = {method: rule for rule in RULES for method in rule.methods}
_STATELESS: Final = frozenset({ResourceKind.CONTEXTS, ResourceKind.TEXTS, ResourceKind.MODELS})

AT_LOCATIONS: Final = frozenset(
    {
        *("ListDataStores", "ListEngines", "ListRagCorpora"),
        *("WriteUserEvent", "CollectUserEvent", "ImportUserEvents"),
        *("ExportUserData", "DownloadUserData", "PurgeUserData"),
        *("GetOperation", "ListOperations", "WaitOperation", "CancelOperation", "DeleteOperation"),
        *(method for rule in RULES if rule.resource in _STATELESS for method in rule.methods),
    }
)
"""Methods on a location that credentials bound to data stores have, too.

What they name in the body, what they list, and who began what they read is asked beside this."""


def rule(method: str) -> Rule:
    """Return the rule of *method*.

    Raises:
        LookupError: it has none, which keeps the service from starting.
    """
    if (found := _BY_METHOD.get(method)) is None:
        raise LookupError(
            f"{method} has no rule: say in service.security.permissions who may call it"
        )
    return found


def check(kind: PrincipalKind, method: str) -> None:
    """Refuse *method* to principals of a *kind* that its rule does not name.

    Raises:
        PermissionDenied: by kind and method alone, so that it tells nothing of what is stored.
    """
    action, resource, kinds, _ = rule(method)
    if kind in kinds:
        return
    if kind is PrincipalKind.NOBODY:
        raise PermissionDenied(
            "this needs a credential: send an API key or a token as Authorization: Bearer",
            reason="CREDENTIALS_MISSING",
        )
    others = ", ".join(each for each in PrincipalKind if each in kinds)
    raise PermissionDenied(
        f"a credential of the kind {kind} may not {action} {resource}; these may: {others}",
        reason="NOT_PERMITTED",
        method=method,
    )
