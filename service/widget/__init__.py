"""The embeddable chat: the TypeScript sources, and what `./dev widget` makes of them."""
