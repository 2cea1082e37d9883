"""Tests of `service.api.documents`.

- data_stores: clients/test_discoveryengine_data_stores
- documents: clients/test_discoveryengine_documents
- engines: clients/test_discoveryengine_engines
"""
