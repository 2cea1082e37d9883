/** Which language the chat speaks: the first that it knows of those that it is asked for. */

import { ar } from "./ar";
import { de } from "./de";
import { en } from "./en";
import { es } from "./es";
import { fr } from "./fr";
import { ja } from "./ja";
import { pt } from "./pt";
import type { Texts } from "./texts";
import { zh } from "./zh";

const LANGUAGES: Record<string, Partial<Texts>> = { ar, de, en, es, fr, ja, pt, zh };
const FROM_RIGHT = ["ar"];

export interface Language {
  /** Of BCP 47, without region: pt. */
  readonly code: string;
  readonly direction: "ltr" | "rtl";
  readonly texts: Texts;
}

/** Return the texts for the first known of `tags`, such as pt-BR; English where none is known. */
export function languageFor(tags: readonly string[]): Language {
  const codes = tags.map((tag) => tag.toLowerCase().split(/[-_]/)[0] ?? "");
  const code = codes.find((each) => Object.hasOwn(LANGUAGES, each)) ?? "en";
  const direction = FROM_RIGHT.includes(code) ? "rtl" : "ltr";
  return { code, direction, texts: { ...en, ...LANGUAGES[code] } };
}
