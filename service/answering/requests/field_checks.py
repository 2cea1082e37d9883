"""Refuse fields that several requests have, by the bounds that they share."""

from __future__ import annotations

import re
from typing import Final

from service.corpus import document_filters
from sessions.errors import InvalidArgument, Unimplemented
from sessions.resources.search_requests import BoostSpec
from sessions.resources.summaries import ImageSource, MultimodalSpec, SummarySpec

MAX_QUERY: Final = 10_000
"""Characters of a query."""
MAX_USER: Final = 128
"""Characters of a ``userPseudoId``."""
MAX_LABELS: Final = 64
MAX_BOOSTS: Final = 20
_VERSION: Final = re.compile(r"(?=.{1,200}\Z)[A-Za-z0-9][\w.@:-]*(?:/[A-Za-z0-9][\w.@:-]*)*", re.A)
"""What names a model: ``stable``, ``gemini-2.5-flash``, ``gemini-2.5-flash/answer_gen/v1``.

There is one model, and programs that were written for others name theirs: it answers them all.
"""


def check_query(text: str, *, field: str) -> None:
    """Refuse a query that says nothing or too much."""
    if not text.strip():
        raise InvalidArgument(f"{field}: say what to answer", field=field)
    check_at_most(len(text), MAX_QUERY, field, "characters")


def check_user(user: str, *, field: str) -> None:
    """Refuse a user pseudo id of more than 128 characters."""
    check_at_most(len(user), MAX_USER, field, "characters")


def check_labels(labels: dict[str, str]) -> None:
    """Refuse more than 64 labels, or labels over their length."""
    check_at_most(len(labels), MAX_LABELS, "userLabels", "labels")
    for key, value in labels.items():
        proper = key[:1].isalpha() and all(c.isalnum() or c in "_-" for c in key)
        if not proper or key != key.lower() or not 1 <= len(key) <= 63 or len(value) > 63:
            raise InvalidArgument(
                "userLabels: keys are 1 to 63 lower-case letters, digits, '_', '-', the first a "
                "letter; values have at most 63 characters",
                field="userLabels",
            )


def check_filter(expression: str, *, field: str) -> None:
    """Refuse a document filter that cannot be read (`guide/filters.md`)."""
    if expression:
        document_filters.parse(expression, field=field)


def check_boosts(spec: BoostSpec | None, *, field: str) -> None:
    """Refuse too many boosts, boosts outside -1..1 or with a condition that cannot be read."""
    conditions = spec.condition_boost_specs if spec else ()
    check_at_most(len(conditions), MAX_BOOSTS, f"{field}.conditionBoostSpecs", "conditions")
    for index, condition in enumerate(conditions):
        where = f"{field}.conditionBoostSpecs[{index}]"
        if not -1 <= condition.boost <= 1:
            raise InvalidArgument(f"{where}.boost: give -1 to 1", field=f"{where}.boost")
        check_filter(condition.condition, field=f"{where}.condition")


def check_summary_spec(spec: SummarySpec | None, models: frozenset[str]) -> None:
    """Refuse a summary of a negative number of results, or by an unknown model."""
    if spec is None:
        return
    if spec.summary_result_count < 0:
        field = "summarySpec.summaryResultCount"
        raise InvalidArgument(f"{field}: give 0 (the default, 5) or more", field=field)
    if spec.model_spec and not is_known_model(spec.model_spec.version, models):
        field = "summarySpec.modelSpec.version"
        raise InvalidArgument(f"{field}: use stable, or the name of a model", field=field)
    check_images(spec.multimodal_spec, field="summarySpec.multimodalSpec")


def check_images(spec: MultimodalSpec | None, *, field: str) -> None:
    """Refuse to make images, which nobody here can.

    Raises:
        Unimplemented: nothing but a made image is asked for.
    """
    if spec is not None and spec.image_source is ImageSource.FIGURE_GENERATION_ONLY:
        field = f"{field}.imageSource"
        raise Unimplemented(
            f"{field}: figures are not generated; use CORPUS_IMAGE_ONLY for those of the documents",
            reason="NOT_OFFERED",
            field=field,
        )


def is_known_model(version: str, models: frozenset[str]) -> bool:
    """Return whether *version* may stand for the one model that answers."""
    return not version or version in models or _VERSION.fullmatch(version) is not None


def check_at_most(size: int, bound: int, field: str, unit: str) -> None:
    """Refuse a *size* over its *bound*, both in so many of *unit*."""
    if size > bound:
        raise InvalidArgument(f"{field}: at most {bound} {unit}, not {size}", field=field)


def check_not_negative(number: int, field: str) -> None:
    """Refuse a *number* below 0, which stands for the default."""
    if number < 0:
        raise InvalidArgument(f"{field}: give 0 for the default, or more", field=field)
