/** The little window beside a citation: the source's title and its passage with the cited words. */

import type { Cited } from "../answers/citations";
import { make } from "../dom";
import { filled, type Texts } from "../texts/texts";
import { markedPassage, supportText } from "./passage";

/** Characters of the passage shown before and after the cited words. */
const BEFORE = 120;
const AFTER = 200;
/** Milliseconds in which the pointer may cross from the mark to the window. */
const CROSSING = 200;

export class SourcePopover {
  readonly node = make("div", { className: "popover", id: "source", role: "tooltip", hidden: true });
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly texts: Texts) {
    this.node.onmouseenter = () => clearTimeout(this.timer);
    this.node.onmouseleave = () => this.hideSoon();
  }

  get isOpen(): boolean {
    return !this.node.hidden;
  }

  /** Show what is cited beside `mark`. */
  show(mark: HTMLElement, cited: Cited): void {
    clearTimeout(this.timer);
    const { texts } = this;
    const { title } = cited.source;
    this.node.replaceChildren(
      make("b", { textContent: withPage(title || texts.untitled, cited.evidence.passage.page, texts), dir: "auto" }),
      make("p", { className: "passage", dir: "auto" }, ...markedPassage(cited.evidence, BEFORE, AFTER)),
    );
    const support = supportText(cited.support, texts);
    if (support) this.node.append(make("p", { className: "support", textContent: support }));
    this.node.hidden = false;
    this.node.scrollTop = 0;
    this.placeBeside(mark);
  }

  hide(): void {
    clearTimeout(this.timer);
    this.node.hidden = true;
  }

  /** Hide it, unless the pointer gets to it in time. */
  hideSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hide(), CROSSING);
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

/** Return a title with the page that is meant in it. */
export function withPage(title: string, page: string | undefined, texts: Texts): string {
  return page ? `${title}, ${filled(texts.page, { page })}` : title;
}
