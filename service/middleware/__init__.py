"""What stands between the server and the router, for every request: see `stack`."""
