"""Tests of `service/backups`; `backup` and `restore` are tested with a whole service, too."""
