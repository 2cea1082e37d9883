"""Lets each index follow the changes of documents; `feed_follower` is the entry."""
