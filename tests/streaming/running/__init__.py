"""Tests of replicas that write answers, and of what becomes of an answer when one is lost.

- answer_author: streaming/running/test_runner, streaming/running/test_takeover
- reaper: streaming/running/test_leases, streaming/running/test_outages
- releases: streaming/running/test_unsure, streaming/log/test_writer
- terminal_events: streaming/running/test_runner
"""
