"""Generation over REST, and the methods beside it: rank, check; `generate_content` comes first."""
