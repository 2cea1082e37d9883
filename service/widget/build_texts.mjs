/**
 * The words of a language without their names, which all languages share: a file of texts becomes
 * its values in the order of the English ones. That is a thirtieth of the chat.
 */

import { readFile } from "node:fs/promises";

const TEXT = /^  (\w+):\s*(".*"),$/gm;

async function textsOf(file) {
  const source = await readFile(file, "utf8");
  const found = [...source.matchAll(TEXT)];
  const names = source.match(/^  \w+:/gm) ?? [];
  if (found.length !== names.length) throw new Error(`${file}: write each text on one line, in double quotes`);
  return new Map(found.map(([, name, value]) => [name, JSON.parse(value)]));
}

export const positionalTexts = {
  name: "positional-texts",
  setup(build) {
    build.onLoad({ filter: /\/texts\/(ar|de|es|fr|ja|pt|zh)\.ts$/ }, async ({ path }) => {
      const [, language] = /(\w+)\.ts$/.exec(path);
      const english = await textsOf(path.replace(/\w+\.ts$/, "en.ts"));
      const texts = await textsOf(path);
      const values = [...english.keys()].map((name) => texts.get(name) ?? "");
      return {
        contents: `import { byPosition } from "./positions"; export const ${language} = byPosition(${JSON.stringify(values.join("\n"))});`,
        loader: "ts",
      };
    });
  },
};
