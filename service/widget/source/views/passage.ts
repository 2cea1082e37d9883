/** The words of a source: what is cited stands out in what is around it. */

import type { Support } from "../answers/citations";
import { make } from "../dom";
import type { Evidence } from "../answers/evidence";
import type { Texts } from "../texts/texts";

const ALL = Number.POSITIVE_INFINITY;

/** Return the cited words as marks, with at most so many characters before and after them. */
export function markedPassage(evidence: Evidence, before = ALL, after = ALL): (Node | string)[] {
  const { ranges, passage } = evidence;
  const { text } = passage;
  const from = Math.max((ranges[0]?.start ?? 0) - before, 0);
  const to = (ranges.at(-1)?.end ?? 0) + after;
  const nodes: (Node | string)[] = from ? ["…"] : [];
  let at = from;
  for (const { start, end } of ranges) {
    if (start < at) continue;
    nodes.push(text.slice(at, start), make("mark", { textContent: text.slice(start, end) }));
    at = end;
  }
  return [...nodes, text.slice(at, to), text.length > to ? "…" : ""];
}

/** Say in words how surely a source says what is cited from it. */
export function supportText(support: Support | undefined, texts: Texts): string {
  switch (support) {
    case "verbatim":
      return texts.supportVerbatim;
    case "strong":
      return texts.supportStrong;
    case "partial":
      return texts.supportPartial;
    case "weak":
      return texts.supportWeak;
    default:
      return "";
  }
}
