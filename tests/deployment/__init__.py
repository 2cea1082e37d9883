"""What docker/kubernetes says: rendered, and compared with the schemas and with the service.

No cluster runs here, so that a pod starts and drains in one is not proved; what the pods ask of the
service (settings, paths, seconds) is compared with what the service does.
"""
