/** Texts of which the build keeps only the values: it calls this in the place of each language. */

import { en } from "./en";
import type { Texts } from "./texts";

/** Return the texts whose values are the lines of `values`, in the order of the English ones. */
export function byPosition(values: string): Partial<Texts> {
  const lines = values.split("\n");
  const named = Object.keys(en).map((name, place) => [name, lines[place]]);
  return Object.fromEntries(named.filter(([, text]) => text));
}
