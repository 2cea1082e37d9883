"""What kind of query it is, such as small talk or an attack; begin with `classifiers`."""
