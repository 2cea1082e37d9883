"""Tests of what browsers and tools read.

- asyncapi, json_schemas: api/pages/test_openapi
- guide_content: api/pages/test_guide_markdown
- static_pages: middleware/test_response_headers, widget/test_page
"""
