"""Tests of what measures the answers; as a whole it is run in ``whole/test_evaluate``.

- runs: whole/test_evaluate
- tables: evaluation/test_turn_metrics, evaluation/test_verdicts
"""
