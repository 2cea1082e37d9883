"""Takes bytes from clients: uvicorn with our bounds on each wait; `http_server` is the entry."""
