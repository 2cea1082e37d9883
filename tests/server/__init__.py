"""Clients of every kind against the server's two protocols.

- early_responses: server/test_http_framing, server/test_upgrades
- http_server: server/test_certificates, whole/test_stopping
- message_queue: server/test_websocket_input
- transports: server/test_http_protocol, server/test_websocket_protocol
"""
