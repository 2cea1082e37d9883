"""Tests of the lowest floor: what is remembered, and how Redis is reached."""
