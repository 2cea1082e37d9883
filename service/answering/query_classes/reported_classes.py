"""Report of what class a query is, as far as its request wants to know."""

from __future__ import annotations

from service.answering.query_classes.classifiers import QueryClasses
from sessions.resources import answer_query, answers
from sessions.resources.answers import QueryClassification as Type


def of(
    request: answer_query.AnswerQueryRequest, understood: QueryClasses
) -> answers.QueryUnderstandingInfo | None:
    """Return what was found for the classes that *request* names, in its order; None without."""
    spec = request.query_understanding_spec
    types = spec.query_classification_spec.types if spec and spec.query_classification_spec else ()
    outcomes = {
        Type.ADVERSARIAL_QUERY: understood.adversarial,
        Type.JAIL_BREAKING_QUERY: understood.jail_breaking,
        Type.NON_ANSWER_SEEKING_QUERY: understood.small_talk,
        Type.NON_ANSWER_SEEKING_QUERY_V2: understood.no_clear_intent,
        Type.USER_DEFINED_CLASSIFICATION_QUERY: understood.ignored is not None,
    }
    if not types:
        return None
    return answers.QueryUnderstandingInfo(
        query_classification_info=tuple(
            answers.QueryClassificationInfo(type=kind, positive=outcomes[kind]) for kind in types
        )
    )
