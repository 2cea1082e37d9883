"""One module per documented method; `submission` is where every query enters."""
