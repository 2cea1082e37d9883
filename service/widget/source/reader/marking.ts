/** Find words in a page that are written about as in a quote, and mark them. */

import { make } from "../dom";

/** What counts of a text when it is compared: letters and digits, in any case. */
const COUNTS = /[\p{L}\p{N}]/u;
/** Letters at least: what is shorter stands everywhere. */
const SHORTEST = 8;

interface Letter {
  node: Text;
  at: number;
}

/** Mark the quote in `root`, or the longest line of it that is there; return the first mark. */
export function markQuote(root: Node, quote: string): HTMLElement | undefined {
  const letters: Letter[] = [];
  let said = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node as Text).data;
    for (let at = 0; at < text.length; at += 1) {
      const letter = text[at] as string;
      if (!COUNTS.test(letter)) continue;
      // Lower case may have more letters than there were: the first stands for all.
      said += letter.toLowerCase()[0];
      letters.push({ node: node as Text, at });
    }
  }
  const lines = quote.split("\n").sort((one, other) => other.length - one.length);
  for (const wanted of [quote, ...lines].map(bare)) {
    const start = wanted.length >= SHORTEST ? said.indexOf(wanted) : -1;
    if (start >= 0) return mark(letters.slice(start, start + wanted.length));
  }
  return undefined;
}

function bare(text: string): string {
  return Array.from(text.split(""), (each) => (COUNTS.test(each) ? each.toLowerCase()[0] : "")).join("");
}

/** Wrap what stands from the first letter of each text to the last one into a mark. */
function mark(letters: readonly Letter[]): HTMLElement | undefined {
  const ranges = new Map<Text, [number, number]>();
  for (const { node, at } of letters) {
    ranges.set(node, [ranges.get(node)?.[0] ?? at, at + 1]);
  }
  let first: HTMLElement | undefined;
  for (const [node, [start, end]] of ranges) {
    const marked = node.splitText(start);
    marked.splitText(end - start);
    const wrapper = make("mark");
    marked.replaceWith(wrapper);
    wrapper.append(marked);
    first ??= wrapper;
  }
  return first;
}
