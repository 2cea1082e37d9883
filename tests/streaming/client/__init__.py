"""The client, against a real service and a scripted one.

- followed_answer: streaming/client/test_client
"""
