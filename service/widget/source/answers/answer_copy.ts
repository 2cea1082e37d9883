/** An answer to take along: its text with the numbers of its sources, and the sources below. */

import type { ShownAnswer } from "../answer_state";
import { Proof } from "./citations";
import { blocksOf } from "./markdown";
import { safeLink } from "../dom";

/** Return it as Markdown. */
export function copyOf(answer: ShownAnswer, sources: string): string {
  const proof = new Proof(answer);
  const blocks = blocksOf(answer.text).map(({ start, end }) => {
    const numbers = proof.indexesIn(start, end).map((index) => `[${proof.numbers.get(index)}]`);
    const text = answer.text.slice(start, end).trimEnd();
    return numbers.length ? `${text} ${numbers.join("")}` : text;
  });
  const list = [...proof.numbers].map(([index, number]) => {
    const { title, document, uri } = proof.cited(index).source;
    return [`[${number}] ${title || document}`, safeLink(uri)].filter(Boolean).join(" ");
  });
  return [...blocks, ...(list.length ? [`${sources}:\n${list.join("\n")}`] : [])].join("\n\n");
}
