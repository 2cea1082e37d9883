"""Programs that fit what the service keeps of data; begin with `train_query_classes`."""
