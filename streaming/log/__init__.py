"""Holds one answer as a log of events, and is the only way to write it.

`events` are what it holds, `answer_machine` says what they add up to, `event_log` reads it and
`writer` appends to it; the scripts of `transitions` begin and end it.
"""
