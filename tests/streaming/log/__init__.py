"""Tests of the log of an answer, and of the way to it.

- control_messages: streaming/running/test_runner, streaming/running/test_takeover
- log_commands: streaming/log/test_write_buffer, streaming/log/test_writer
- submissions: streaming/running/test_runner
- transitions: streaming/running/test_runner, streaming/running/test_unsure
"""
