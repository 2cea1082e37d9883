"""What every controller stands on: paths, verbs, bodies, errors; begin with `routes`."""
