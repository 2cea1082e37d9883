/**
 * `node build.mjs`: make colloquy-chat.js, which the service gives out, and the hash by which a page
 * may hold it to be that; and reader.js, of the page that shows a document. `node build.mjs package`: make the modules of the npm package.
 */

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";

import { build } from "esbuild";

import { plainStyles } from "./build_styles.mjs";
import { positionalTexts } from "./build_texts.mjs";
import { LEXER_NAMES, markedLexer } from "./marked_lexer.mjs";

const ASSET = "colloquy-chat.js";
const common = {
  bundle: true, format: "esm", target: "es2022", charset: "utf8", legalComments: "eof",
  plugins: [markedLexer, plainStyles, positionalTexts],
};

if (process.argv[2] === "package") {
  await build({ ...common, entryPoints: ["source/index.ts"], outdir: "dist" });
  const external = ["react", "./index.js"]; // else React's chat would hold the element once more
  await build({ ...common, entryPoints: ["source/react.ts"], outdir: "dist", external });
} else {
  const bundled = async (entry, outfile) => {
    const { outputFiles } = await build({
      ...common, entryPoints: [entry], outfile, minify: true, mangleProps: LEXER_NAMES, write: false,
    });
    await writeFile(outfile, outputFiles[0].contents);
    return outputFiles[0].contents;
  };
  const hash = createHash("sha384").update(await bundled("source/index.ts", ASSET)).digest("base64");
  await writeFile("integrity.txt", `sha384-${hash}\n`);
  await bundled("source/reader/page.ts", "reader.js");
}
