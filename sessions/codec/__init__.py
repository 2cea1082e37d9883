"""Reads and writes resources as ProtoJSON; `json_codec` is the entry."""
