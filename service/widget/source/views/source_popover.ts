/** The little window beside a citation: the source's title and its passage with the cited words. */

import { type Evidence, evidenceOf, type Source } from "../citations";
import { make } from "../dom";
import { filled, type Texts } from "../texts/texts";

/** Characters of the passage shown before and after the cited words. */
const BEFORE = 120;
const AFTER = 200;

export class SourcePopover {
  readonly node = make("div", { className: "popover", id: "source", role: "tooltip", hidden: true });

  constructor(private readonly texts: Texts) {
    this.node.onmouseleave = () => this.hide();
  }

  /** Show where `source` says the statements, beside `mark`. */
  show(mark: HTMLElement, source: Source, statements: readonly string[]): void {
    this.node.replaceChildren(
      make("b", { textContent: titleOf(source, this.texts), dir: "auto" }),
      make("p", { dir: "auto" }, ...marked(evidenceOf(statements, source.passages))),
    );
    this.node.hidden = false;
    this.node.scrollTop = 0;
    this.placeBeside(mark);
  }

  hide(): void {
    this.node.hidden = true;
  }

  private placeBeside(mark: HTMLElement): void {
    const { style } = this.node;
    style.left = style.top = "0px"; // its size depends on its place
    const spot = mark.getBoundingClientRect();
    const size = this.node.getBoundingClientRect();
    const left = Math.min(Math.max(spot.left - 20, 12), innerWidth - size.width - 12);
    const above = spot.top - size.height - 6;
    style.left = `${left}px`;
    style.top = `${above > 8 ? above : spot.bottom + 4}px`;
  }
}

/** Return the title of a source with its page. */
export function titleOf({ title, page }: Source, texts: Texts): string {
  const named = title || texts.untitled;
  return page ? `${named}, ${filled(texts.page, { page })}` : named;
}

/** Return the cited words as marks, in what stands around them. */
function marked({ passage, ranges }: Evidence): (Node | string)[] {
  const from = Math.max((ranges[0]?.start ?? 0) - BEFORE, 0);
  const to = (ranges.at(-1)?.end ?? 0) + AFTER;
  const nodes: (Node | string)[] = from ? ["…"] : [];
  let at = from;
  for (const { start, end } of ranges) {
    if (start < at) continue;
    nodes.push(passage.slice(at, start), make("mark", { textContent: passage.slice(start, end) }));
    at = end;
  }
  return [...nodes, passage.slice(at, to), passage.length > to ? "…" : ""];
}
