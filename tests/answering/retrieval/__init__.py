"""Tests of what turns a query into hits and results.

- attached_sources: clients/test_discoveryengine_figures
- context_scopes: answering/retrieval/test_contexts, answering/methods/test_prompt_contents
- facets, results, search_pages: clients/test_discoveryengine_search
- recorded_results, scopes: clients/test_discoveryengine_answer_sources
"""
