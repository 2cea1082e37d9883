"""Reads markup by signs, such as AsciiDoc and wiki text; `asciidoc` is the largest."""
