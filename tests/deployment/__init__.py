"""What docker/kubernetes and docker/systemd say, compared with schemas and with the service.

Neither a cluster nor systemd runs here, so that a replica starts and drains in one is not proved;
what they ask of the service (settings, paths, seconds) is compared with what the service does.
"""
