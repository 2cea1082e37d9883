"""What a request may take from the web beside documents; `web_grounding` is the entry."""
