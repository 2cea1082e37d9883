/**
 * The lexer of marked without its parser, its renderers and its instance, which one file holds
 * together with side effects that keep all of it in a bundle: a tenth of the chat.
 *
 * The sources are those that marked's own map brings along; esbuild takes from them what the
 * entry names and what that uses.
 */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const ENTRY = `
/*! marked: (c) 2018-2026 MarkedJS, (c) 2011-2018 Christopher Jeffrey. MIT License */
export { _Lexer as Lexer } from "./Lexer.ts";
export { _getDefaults as getDefaults } from "./defaults.ts";
`;

export const markedLexer = {
  name: "marked-lexer",
  async setup(build) {
    const file = fileURLToPath(import.meta.resolve("marked")) + ".map";
    const { sources, sourcesContent } = JSON.parse(await readFile(file, "utf8"));
    const contents = new Map(
      sources.map((source, place) => [source.replace("../src/", "./"), sourcesContent[place]]),
    ).set("marked", ENTRY);
    const namespace = "marked";
    build.onResolve({ filter: /^marked$/ }, () => ({ path: "marked", namespace, sideEffects: false }));
    build.onResolve({ filter: /^\.\//, namespace }, ({ path }) => ({ path, namespace, sideEffects: false }));
    build.onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: contents.get(path), loader: "ts" }));
  },
};
