"""Read the shared index of one data store; begin with `redis_reader`."""
