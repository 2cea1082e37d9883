/** The text of an answer: its Markdown in blocks, each with the marks of its sources. */

import { citedRanges, type Source, sourceOf } from "../citations";
import { make } from "../dom";
import { type Block, blockNode, blocksOf } from "../markdown";
import type { ShownAnswer } from "../answer_state";
import { filled, type Texts } from "../texts/texts";
import type { SourcePopover } from "./source_popover";

interface ShownBlock {
  raw: string;
  sources: string;
  node: HTMLElement;
}

export class AnswerText {
  readonly node = make("div", { className: "text", part: "text", dir: "auto" });
  private shown: ShownBlock[] = [];

  constructor(
    private readonly texts: Texts,
    private readonly popover: SourcePopover,
  ) {}

  /** Show the text of `answer`; blocks that did not change keep their nodes. */
  show(answer: ShownAnswer): void {
    const ranges = citedRanges(answer.text, answer.citations);
    const blocks = blocksOf(answer.text);
    const next = blocks.map((block, place): ShownBlock => {
      const cited = ranges.filter(({ end }) => end > block.start && end <= block.end);
      const indexes = [...new Set(cited.flatMap(({ sources }) => sources))];
      const sources = indexes.filter((index) => answer.references[index]).join();
      const before = this.shown[place];
      if (before && before.raw === block.raw && before.sources === sources) return before;
      const statements = cited.map(({ start, end }) => answer.text.slice(start, end));
      return { raw: block.raw, sources, node: this.blockWith(block, sources, answer, statements) };
    });
    next.forEach(({ node }, place) => {
      const before = this.shown[place]?.node;
      if (before === node) return;
      if (before) before.replaceWith(node);
      else this.node.append(node);
    });
    for (const { node } of this.shown.slice(next.length)) node.remove();
    this.shown = next;
  }

  private blockWith(block: Block, sources: string, answer: ShownAnswer, statements: string[]): HTMLElement {
    const node = blockNode(block.token, this.texts.copy);
    if (!sources) return node;
    const marks = make("span", { className: "cites" });
    for (const index of sources.split(",").map(Number)) {
      const reference = answer.references[index];
      if (reference) marks.append(this.mark(sourceOf(reference, index), statements));
    }
    endOf(node).append(marks);
    return node;
  }

  private mark(source: Source, statements: string[]): HTMLElement {
    const { texts, popover } = this;
    const number = source.index + 1;
    const mark = make("button", {
      type: "button",
      className: "cite",
      textContent: String(number),
      "aria-label": filled(texts.source, { number, title: source.title || texts.untitled }),
      "aria-describedby": popover.node.id,
    });
    mark.onmouseenter = mark.onfocus = () => popover.show(mark, source, statements);
    mark.onmouseleave = (event) => {
      if (event.relatedTarget !== popover.node) popover.hide();
    };
    mark.onblur = () => popover.hide();
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
