"""Tests of `service/corpus/parsing/figures`.

- page_pictures: corpus/parsing/formats/test_html
"""
