/** Make colloquy-chat.js of the sources, and the hash by which a page may hold it to be that. */

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";

import { build } from "esbuild";

const ASSET = "colloquy-chat.js";

const { outputFiles } = await build({
  entryPoints: ["source/index.ts"],
  outfile: ASSET,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "eof",
  write: false,
});
for (const { contents } of outputFiles) {
  const hash = createHash("sha384").update(contents).digest("base64");
  await writeFile(ASSET, contents);
  await writeFile("integrity.txt", `sha384-${hash}\n`);
}
