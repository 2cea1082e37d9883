"""A WebSocket client that loses connections and no answer; `client` is the entry."""
