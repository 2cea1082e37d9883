"""What the words of a query are to a data store, known or unknown; `terms` comes first."""
