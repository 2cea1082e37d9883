"""The subprotocol as values and one machine.

- rpc_status: streaming/protocol/test_frames, streaming/reading/test_elements
"""
