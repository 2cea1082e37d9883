"""Takes bytes from sockets: uvicorn with our bounds on each wait; `http_server` is the entry."""
