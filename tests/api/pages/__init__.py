"""Tests of what browsers and tools read.

- asyncapi, json_schemas: api/pages/test_openapi
- static_pages: middleware/test_response_headers, widget/test_page
"""
