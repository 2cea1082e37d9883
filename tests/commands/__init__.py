"""Tests of commands; most are run as their operator runs them, as processes.

- chat: whole/test_main_job, whole/test_terminal
- reindex: whole/test_reindex
- serving: whole/test_stopping, whole/test_waiting_for_redis
- sessions: whole/test_main_job, whole/test_terminal
- signals: whole/test_stopping
- workers: whole/test_workers
"""
