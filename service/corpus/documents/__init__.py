"""Brings documents into data stores, changes and deletes them; `document_import` is the entry."""
