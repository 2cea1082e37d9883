"""Tests of reaching Redis, on real servers of every kind and version at hand.

- handshake: sessions/redis/test_connection, sessions/redis/test_node_states
- memory: whole/test_full_redis
- resp_socket: sessions/redis/test_node_connection, sessions/redis/test_frozen_masters
- routing: sessions/redis/test_refused_writes, sessions/redis/test_sentinel_failover
- server_binaries: sessions/redis/test_data_folders
"""
