"""What is said in a conversation, as the pipeline is asked it."""

from __future__ import annotations

from service.answering.requests import conversations as requests
from sessions.resources import conversations, summaries


def test_a_turn_of_a_conversation_is_the_same_query_in_the_newer_words() -> None:
    request = conversations.ConverseConversationRequest(
        query=conversations.TextInput(input="How?"),
        filter='id: ANY("x")',
        summary_spec=summaries.SummarySpec(summary_result_count=30, ignore_adversarial_query=True),
    )
    query = requests.as_query(request)
    assert query.query is not None
    assert query.query.text == "How?"
    assert query.search_spec is not None
    params = query.search_spec.search_params
    assert params is not None
    assert (params.max_return_results, params.filter) == (10, 'id: ANY("x")')
    assert query.answer_generation_spec is not None
    assert query.answer_generation_spec.ignore_adversarial_query
