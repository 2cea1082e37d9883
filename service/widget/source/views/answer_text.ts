/** The text of an answer: its Markdown in blocks, each with the marks of its sources. */

import { hasEnded, type ShownAnswer } from "../answer_state";
import { type Cited, Proof } from "../answers/citations";
import { make } from "../dom";
import { type Block, blockNode, blocksOf } from "../answers/markdown";
import { filled, type Texts } from "../texts/texts";
import { copyButton } from "./copy_button";

/** Shows what is cited: for a moment beside its mark, or in the panel of sources. */
export interface SourceViews {
  preview(mark: HTMLElement, cited: Cited): void;
  endPreview(): void;
  open(mark: HTMLElement, cited: Cited): void;
  /** Id of the preview's node. */
  readonly previewId: string;
}

interface ShownBlock {
  shown: string;
  marks: string;
  node: HTMLElement;
}

export class AnswerText {
  readonly node = make("div", { className: "text", part: "text", dir: "auto" });
  private blocks: ShownBlock[] = [];
  private proof: Proof | undefined;

  constructor(
    private readonly texts: Texts,
    private readonly sources: SourceViews,
  ) {}

  /** What a person reads of it, without the marks and the buttons. */
  get words(): string {
    const copy = this.node.cloneNode(true) as HTMLElement;
    for (const each of copy.querySelectorAll(".cites, button")) each.remove();
    for (const each of copy.querySelectorAll("p, li, h4, pre, th, td")) each.append(" ");
    return copy.textContent ?? "";
  }

  /** Show the text of `answer`; blocks that did not change keep their nodes. */
  show(answer: ShownAnswer, proof: Proof, languages: readonly string[] = []): void {
    this.proof = proof;
    // The documents speak, in a language that need not be that of the chat.
    if (languages.length === 1) this.node.lang = languages[0] ?? "";
    const isRefused = answer.skippedReasons.length > 0; // its text is that of a program
    // What is written anew takes the place of what was there without a gap.
    const isBefore = answer.before.length > answer.text.length;
    this.node.classList.toggle("before", isBefore);
    const text = isBefore ? answer.before : answer.text;
    const blocks = isRefused ? [] : blocksOf(text, !hasEnded(answer.state));
    const next = blocks.map((block, place): ShownBlock => {
      const indexes = isBefore ? [] : proof.indexesIn(block.start, block.end);
      const marks = JSON.stringify(indexes.map((index) => [index, proof.numbers.get(index)]));
      const before = this.blocks[place];
      if (before && before.shown === block.shown && before.marks === marks) return before;
      return { shown: block.shown, marks, node: this.blockWith(block, indexes, proof) };
    });
    next.forEach(({ node }, place) => {
      const before = this.blocks[place]?.node;
      if (before === node) return;
      if (before) before.replaceWith(node);
      else this.node.append(node);
    });
    for (const { node } of this.blocks.slice(next.length)) node.remove();
    this.blocks = next;
  }

  private blockWith(block: Block, indexes: number[], proof: Proof): HTMLElement {
    const { texts } = this;
    const node = blockNode(block.token, (text) => copyButton(texts, texts.copy, () => text));
    if (!indexes.length) return node;
    const marks = make("span", { className: "cites" });
    for (const index of indexes) {
      // The proof grows after the block is written: it is asked when it is shown.
      const cited = (now: Proof) => now.cited(index, block.start, block.end);
      marks.append(this.mark(cited(proof), () => cited(this.proof ?? proof)));
    }
    endOf(node).append(marks);
    return node;
  }

  private mark(cited: Cited, now: () => Cited): HTMLElement {
    const { texts, sources } = this;
    const { number, source } = cited;
    const mark = make("button", {
      type: "button",
      className: "cite",
      textContent: String(number),
      "aria-label": filled(texts.source, { number, title: source.title || texts.untitled }),
      "aria-describedby": sources.previewId,
    });
    mark.onmouseenter = mark.onfocus = () => sources.preview(mark, now());
    mark.onmouseleave = mark.onblur = () => sources.endPreview();
    mark.onclick = () => sources.open(mark, now());
    return mark;
  }
}

/** Where marks stand: behind the last words of a list, and behind all of anything else. */
function endOf(node: HTMLElement): HTMLElement {
  const last = node.lastElementChild;
  return (node.tagName === "OL" || node.tagName === "UL" || node.tagName === "LI") &&
    last instanceof HTMLElement &&
    ["LI", "OL", "UL", "P"].includes(last.tagName)
    ? endOf(last)
    : node;
}
