/**
 * Style sheets as a browser needs them: without what makes them readable. They stand in template
 * strings, which a minifier of scripts leaves as they are.
 */

import { readFile } from "node:fs/promises";

import { transform } from "esbuild";

const SHEET = /(?<=\.replaceSync\()`([^`]*)`(?=\))/;

export const plainStyles = {
  name: "plain-styles",
  setup(build) {
    build.onLoad({ filter: /styles\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const sheet = SHEET.exec(source)?.[1];
      if (sheet === undefined || sheet.includes("${")) throw new Error(`${path}: write one sheet, without values in it`);
      const { code, warnings } = await transform(sheet, { loader: "css", minify: true, target: "es2022" });
      if (warnings.length) throw new Error(`${path}: ${warnings[0].text}`);
      return { contents: source.replace(SHEET, () => JSON.stringify(code.trim())), loader: "ts" };
    });
  },
};
