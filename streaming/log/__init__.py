"""One answer as a log of events, and the only way to write it; `events` comes first."""
