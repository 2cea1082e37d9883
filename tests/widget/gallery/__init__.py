"""Every view of the chat in every look: for tests, and as a program that draws them."""
