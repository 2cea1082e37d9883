"""Says: generators write text from hits; `generator` is the contract."""
