/** Take out of package-lock.json who asks for funding where: a lock file names no address. */

import { readFile, writeFile } from "node:fs/promises";

const LOCK = "package-lock.json";

const lock = JSON.parse(await readFile(LOCK, "utf8"));
for (const entry of Object.values(lock.packages)) delete entry.funding;
await writeFile(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
