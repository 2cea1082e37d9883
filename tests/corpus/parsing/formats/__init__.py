"""Tests of the readers, one for each format; what holds for all is in ``test_parsing``.

- elements: corpus/parsing/formats/test_html
- heading_styles, page_lines, table_rows: corpus/parsing/formats/test_pdf
"""
