"""Read one data store in the state that it had at one moment; `index_reader` comes first."""
