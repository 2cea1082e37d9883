"""What is kept of users over REST: have it, or have it deleted; `user_data` is the entry."""
