/**
 * Markdown that is still being written, as it will probably read: what is open is closed, and what
 * cannot be told yet is held back, so that no sign appears that the next words take away.
 */

import type { Token } from "marked";

/** A mark at the end that stands alone in its line: of a list, a heading, a line, a fence. */
const LONE_MARK = /(?:^|\n)[ \t]*(?:>[ \t]*)*(?:[-+*=_>]+|#{1,6}|\d{1,9}[.)]?|`{1,2}|~{1,2})[ \t]*$/;
/** Rows at the end that become a table when the line below the head is whole. */
const HALF_TABLE = /(?:^|\n)[ \t]*\|[^\n]*(?:\n[ \t]*\|?[-:| \t]*)?$/;
const HALF_FENCE = /\n[ \t]*(?:`{1,2}|~{1,2})$/;
/** A line that begins with a tag: is it an example of HTML? */
const HALF_TAG = /(?:^|\n) {0,3}<\/?(?:[a-zA-Z](?:[^<>"]|"[^"]*")*(?:"[^"]*)?)?$/;
const HALF_ENTITY = /&#?\w{0,8}$/;
const FENCE = /^\s*(?:(?:[-*+>]|\d+[.)])\s+)*(?:`{3,}|~{3,})/;
/** What begins new inline text within a block. */
const BEGINNING = /(?:^|\n)(?:[ \t]*(?=\n)|[ \t]*(?:[-*+>]|\d{1,9}[.)]|#{1,6})[ \t]+)/g;
const EMPHASIS = /^(?:\*+|_+|~~+|~$)/;
const WORD = /[\p{L}\p{N}]/u;

/** Return the last block of a growing text as it should be shown. */
export function calmed({ type, raw }: Token): string {
  const isInCode = raw.split("\n").filter((line) => FENCE.test(line)).length % 2 === 1;
  if (isInCode || type === "code") return raw.replace(HALF_FENCE, "");
  let text = raw.replace(LONE_MARK, "").replace(HALF_TAG, "");
  if (type !== "table") text = text.replace(HALF_TABLE, "");
  let start = 0;
  for (const match of text.matchAll(BEGINNING)) start = match.index + match[0].length;
  if (type === "table") start = Math.max(start, text.lastIndexOf("|") + 1);
  return text.slice(0, start) + closed(text.slice(start).replace(HALF_ENTITY, ""));
}

/** Close the code, links and emphasis that are open at the end of inline text. */
function closed(text: string): string {
  const open: string[] = [];
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    if (rest[0] === "\\") {
      at += 2;
    } else if (rest[0] === "`") {
      const run = /^`+/.exec(rest)?.[0] ?? "`";
      const end = rest.indexOf(run, run.length);
      if (end < 0) {
        const shown = rest.length > run.length ? rest + run : "";
        return ended(text.slice(0, at) + shown, open);
      }
      at += end + run.length;
    } else if (/^!?\[/.test(rest)) {
      const link = /^!?\[[^\]\n]*\]\([^()\n]*\)/.exec(rest);
      const half = /^!?\[([^\]\n]*)(?:\](?:\([^()\n]*)?)?$/.exec(rest);
      if (half) text = text.slice(0, at) + (half[1] ?? "");
      else at += link?.[0].length ?? 1;
    } else {
      const run = EMPHASIS.exec(rest)?.[0];
      const isLast = run?.length === rest.length;
      const left = run ? emphasised(run, text[at - 1] ?? " ", rest[run.length] ?? " ", open) : 0;
      if (run && isLast && left) return ended(text.slice(0, at + run.length - left), open);
      at += run?.length ?? 1;
    }
  }
  return ended(text, open);
}

/** Note what a run of `*`, `_` or `~` closes and opens; return how much of it does neither. */
function emphasised(run: string, before: string, after: string, open: string[]): number {
  const sign = run[0] ?? "";
  let left = run.length;
  const isInWord = sign === "_" && WORD.test(after);
  while (left && before.trim() && !isInWord && open.at(-1)?.startsWith(sign)) {
    const size = open.at(-1)?.length ?? 0;
    if (size > left) return left;
    open.pop();
    left -= size;
  }
  if (!left || !after.trim() || (sign === "_" && WORD.test(before))) {
    return sign === "_" && WORD.test(before) && !open.length ? 0 : left;
  }
  if (left % 2) open.push(sign);
  if (left > 1) open.push(sign.repeat(2));
  return 0;
}

function ended(text: string, open: string[]): string {
  return text.trimEnd() + [...open].reverse().join("");
}
