"""Finds: what documents become, where they are kept, and their index; `index` is the contract."""
