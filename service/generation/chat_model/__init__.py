"""Lets a chat model write, at any OpenAI-compatible endpoint; `openai` is the entry."""
