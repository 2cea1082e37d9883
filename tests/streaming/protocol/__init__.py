"""The subprotocol as values and one machine.

- frame_limits: streaming/protocol/test_connection_limits
- open_requests: streaming/protocol/test_connection_ids, streaming/protocol/test_connection_states
- rpc_status: streaming/protocol/test_frames, streaming/reading/test_elements
"""
