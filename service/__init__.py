"""Takes requests over HTTP and WebSocket and answers them: retrieval, generation, proof."""
