"""The stages that one query passes, each in its module; `pipeline` has their order."""
