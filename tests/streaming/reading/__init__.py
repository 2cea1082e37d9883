"""Answers that are followed, from memory and from a real log.

- element_frames: streaming/reading/test_elements
- element_reader: streaming/reading/test_subscription, streaming/reading/test_subscription_laws
- entry_queue: streaming/reading/test_subscription, streaming/reading/test_subscription_laws
- sources: streaming/reading/test_subscription
"""
