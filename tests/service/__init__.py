"""Tests of what stands in no room of the service.

- blocks: corpus/parsing/test_structure
- project_numbers: clients/test_project_numbers
- query_readings: corpus/test_index
- setting_values: service/test_settings
"""
