"""Opens the doors and answers: HTTP, WebSocket, retrieval, generation, proof."""
