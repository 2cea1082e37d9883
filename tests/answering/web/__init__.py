"""Tests of what requests take from the web.

- web_grounding: clients/test_web_grounding
"""
