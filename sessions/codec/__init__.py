"""Reads and writes resources as proto3 JSON; `json_codec` is the entry."""
