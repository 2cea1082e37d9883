"""Measures how good the answers of a running service are, over its public interfaces.

`question_lists` reads what an operator asks, `labelled_data` what others have labelled, `runs` asks
it, `verdicts` and `turn_metrics` judge, `report` and `tables` show.
"""
