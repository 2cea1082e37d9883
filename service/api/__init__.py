"""The interfaces over HTTP and WebSocket, in folders as the public documents group them."""
