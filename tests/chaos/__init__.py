"""Break a running service in every way at hand, and hold what its clients heard to its promises."""
