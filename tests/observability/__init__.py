"""The alerts and the dashboard in docker/observability, against what a running service exports."""
