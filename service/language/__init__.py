"""What is known of languages, for finding and saying alike; begin with `detection`."""
