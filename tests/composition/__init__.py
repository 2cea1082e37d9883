"""Tests of how the service is put together; they start the whole of it.

- app: whole/test_waiting_for_redis, whole/test_stopping
- asgi, handler_services: clients/test_discoveryengine_answers
- corpus_services: clients/test_discoveryengine_documents, clients/test_rag_files
- generation_services: clients/test_direct_generation, clients/test_web_grounding
- answering: whole/test_main_job
- identity: whole/test_api_keys, whole/test_workers
- container: whole/test_main_job, whole/test_waiting_for_redis
"""
