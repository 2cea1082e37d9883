"""generateContent, and the methods that check, rank and write; `generate_content` is the entry."""
