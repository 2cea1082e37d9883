"""The index on the Query Engine of Redis, which all replicas share; `index` is the entry."""
