"""Says: generators write text from hits."""
