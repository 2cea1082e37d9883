"""Data stores, engines and their documents over REST; `documents` is where imports begin."""
