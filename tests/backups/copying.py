"""Back one Redis up and restore it into another, without a terminal."""

from __future__ import annotations

import io

from service.backups.backup import Backup
from service.backups.backup_file import BackupCounts, BackupFile, BackupWriter
from service.backups.restore import Restore
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys


async def backed_up(redis: Redis, keys: Keys) -> bytes:
    """Return a backup of the installation of *keys*, which is made if need be."""
    await connection.check_install(redis, keys)
    file = io.BytesIO()
    writer = BackupWriter(file)
    reading = Backup(redis, keys, writer)
    await reading.begin()
    await reading.write()
    writer.finish()
    return file.getvalue()


async def restored(redis: Redis, keys: Keys, backup: bytes) -> BackupCounts:
    """Restore *backup* as the installation of *keys*."""
    return await Restore(redis, keys, BackupFile(io.BytesIO(backup), "the backup")).write()
