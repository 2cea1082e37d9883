"""Opens the doors and knows the craft: HTTP, WebSocket, retrieval, generation, proof."""
