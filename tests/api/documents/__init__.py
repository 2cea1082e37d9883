"""Tests of data stores, engines and documents over REST are those with a client.

- data_stores: clients/test_discoveryengine_data_stores
- documents: clients/test_discoveryengine_documents, clients/test_discoveryengine_operations
- engines: clients/test_discoveryengine_engines
"""
