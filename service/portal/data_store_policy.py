"""What holds for single data stores, engines and corpora."""

from __future__ import annotations

import re
from typing import Annotated, Final

import msgspec

from service.portal.localized_text import Question, check_languages, check_tag
from service.setting_values import exact_origins
from sessions import names

STORE: Final = re.compile(rf"(?:{names.PARENT}|{names.RAG_CORPUS})")
"""The canonical name of a data store, an engine or a corpus, with which those below it begin."""

Days = Annotated[float, msgspec.Meta(ge=0, le=36_500)]


class DataStorePolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for one data store, engine or corpus beside what holds for all."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=512)]
    """The full name of a data store, engine or corpus; or the id of a data store, in all
    projects."""

    origins: tuple[str, ...] = ()
    """The only pages of other sites that may use it; () leaves it to COLLOQUY_ORIGINS."""

    document_filter: Annotated[str, msgspec.Meta(max_length=8_192)] = ""
    """What a document of the data store has to match for people to see it, in the language of
    filters; ``ANY(claims.groups)`` stands for what the token of a person claims. "" hides none."""

    session_days: Days | None = None
    """Days for which its sessions and conversations are kept after their last use, 0 for ever, in
    the place of COLLOQUY_SESSION_DAYS."""

    event_days: Days | None = None
    """Days for which user events and queries are kept of it, where COLLOQUY_EVENT_DAYS are more."""

    visitors: bool = True
    """Whether who brings no credential may become a visitor of it, with COLLOQUY_ANONYMOUS."""

    starter_questions: Annotated[tuple[Question, ...], msgspec.Meta(max_length=8)] = ()
    """What a chat with it offers to ask first; () makes some of its documents."""

    languages: Annotated[tuple[str, ...], msgspec.Meta(max_length=50)] = ()
    """The languages that a chat with it speaks, the first where the reader's is none of them."""

    def __post_init__(self) -> None:
        for question in self.starter_questions:
            check_languages(question)
        for tag in self.languages:
            check_tag(tag)
        if "/" in self.name:
            if not STORE.fullmatch(names.canonical(self.name)):
                raise ValueError(
                    f"'{self.name}' names no data store, engine or corpus; give its full name, "
                    "which begins with projects/, or the id of a data store"
                )
        elif names.is_forbidden(self.name):
            raise ValueError(f"'{self.name}' can be no id of a data store")
        exact_origins(self.origins)
