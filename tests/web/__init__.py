"""Pages are read from real servers of the tests' own, which do what strangers' servers may do.

- connections, resolver, response_bodies: web/test_page_fetcher
- search_endpoint: clients/test_web_grounding
"""
