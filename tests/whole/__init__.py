"""Processes as an operator starts them: the main job, stops, deaths, Redis away."""
