/**
 * The lexer of marked without its parser, its renderers and its instance, which one file holds
 * together with side effects that keep all of it in a bundle: a tenth of the chat.
 *
 * The sources are those that marked's own map brings along; esbuild takes from them what the
 * entry names and what that uses. The grammar of the first Markdown, "pedantic", which nobody asks
 * for, is left out, and the names of the expressions are such that a build may shorten them.
 */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const ENTRY = `
/*! marked: (c) 2018-2026 MarkedJS, (c) 2011-2018 Christopher Jeffrey. MIT License */
export { _Lexer as Lexer } from "./Lexer.ts";
export { _getDefaults as getDefaults } from "./defaults.ts";
`;

const file = fileURLToPath(import.meta.resolve("marked")) + ".map";
const { sources, sourcesContent } = JSON.parse(await readFile(file, "utf8"));
const contents = new Map(
  sources.map((source, place) => [source.replace("../src/", "./"), withoutPedantic(sourcesContent[place])]),
).set("marked", ENTRY);

function withoutPedantic(source) {
  return source
    .replaceAll("this.options.pedantic", "false")
    .replace(/^const \w*Pedantic\w*(?:: [^=]+)? =[^]*?;(?: \/\/.*)?\n/gm, "")
    .replace(/^  pedantic\w*: .*,\n/gm, "");
}

/** Names of two words or more of the expressions, which no object of the page or of the wire has. */
function namesOfExpressions() {
  const [, written] = /^export const other = \{$([^]*?)^\};$/m.exec(contents.get("./rules.ts")) ?? [];
  const names = [...(written ?? "").matchAll(/^  ([a-z]+[A-Z]\w*):/gm)].map(([, name]) => name);
  if (names.length < 40 || /this\.options\.pedantic|Pedantic = /.test([...contents.values()].join(""))) {
    throw new Error("marked is written in another way now: look at marked_lexer.mjs");
  }
  return names;
}

/** What esbuild may shorten: `mangleProps`. */
export const LEXER_NAMES = new RegExp(`^(?:${namesOfExpressions().join("|")})$`);

export const markedLexer = {
  name: "marked-lexer",
  setup(build) {
    const namespace = "marked";
    build.onResolve({ filter: /^marked$/ }, () => ({ path: "marked", namespace, sideEffects: false }));
    build.onResolve({ filter: /^\.\//, namespace }, ({ path }) => ({ path, namespace, sideEffects: false }));
    build.onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: contents.get(path), loader: "ts" }));
  },
};
