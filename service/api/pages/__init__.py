"""What browsers and tools read: the chat page, OpenAPI, AsyncAPI; begin with `static_pages`."""
