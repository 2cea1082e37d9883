"""What docker/ offers for orchestrators, systemd and proxies does what it says.

Neither a cluster nor systemd runs here, so that a replica starts and drains in one is not proved;
what they ask of the service (settings, paths, seconds) is compared with what the service does. The
proxies that Debian has are run.
"""
