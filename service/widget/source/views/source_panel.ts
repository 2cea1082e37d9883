/** The panel of a source, beside the chat or over it: what is cited, where it stands, how to open it. */

import type { Cited, Source } from "../answers/citations";
import { icon, make } from "../dom";
import { filled, type Texts } from "../texts/texts";
import { markedPassage, supportText } from "./passage";

export const CROSS = "M6 4.6 12 10.6 18 4.6 19.4 6 13.4 12 19.4 18 18 19.4 12 13.4 6 19.4 4.6 18 10.6 12 4.6 6z";
/** Pixels of the chat from which on the panel stands beside it; the styles say the same. */
const BESIDE = 832;

export class SourcePanel {
  readonly node: HTMLElement;
  private readonly body = make("div", { className: "source-body" });
  private readonly heading = make("h3", { tabIndex: -1 });
  /** What had the focus when the panel opened. */
  private before: HTMLElement | undefined;

  constructor(
    private readonly texts: Texts,
    private readonly chat: HTMLElement,
    private readonly pageLink: (source: Source, quote: string) => HTMLElement | undefined,
    private readonly closed: () => void,
  ) {
    const close = make("button", { type: "button", className: "icon", "aria-label": texts.closeSource });
    close.append(icon(CROSS));
    close.onclick = () => this.close();
    const head = make("div", { className: "source-head" }, this.heading, close);
    this.node = make("aside", { className: "source", part: "source", hidden: true });
    this.node.setAttribute("aria-label", texts.sources);
    this.node.append(head, this.body);
    new ResizeObserver(() => this.settle()).observe(chat);
  }

  get isOpen(): boolean {
    return !this.node.hidden;
  }

  open(opener: HTMLElement, cited: Cited): void {
    this.before = opener;
    this.fill(cited);
    this.node.hidden = false;
    this.body.scrollTop = 0;
    this.settle();
    this.heading.focus();
    this.body.querySelector("mark")?.scrollIntoView({ block: "nearest" });
  }

  close(): void {
    if (!this.isOpen) return;
    this.node.hidden = true;
    this.settle();
    if (this.before?.isConnected) this.before.focus();
    this.closed();
  }

  private fill({ number, source, evidence, support }: Cited): void {
    const { texts } = this;
    const { heading, passage } = evidence;
    const title = source.title || texts.untitled;
    this.heading.textContent = filled(texts.source, { number, title });
    this.heading.dir = "auto";
    const trail = [title, heading === title ? "" : heading].filter(Boolean).join(" › ");
    const page = passage.page ? filled(texts.page, { page: passage.page }) : "";
    const says = supportText(support, texts);
    this.body.replaceChildren(
      make("p", { className: "trail", dir: "auto", textContent: [trail, page].filter(Boolean).join(" · ") }),
      ...(says ? [make("p", { className: "support", textContent: says })] : []),
      make("blockquote", { className: "passage", dir: "auto" }, ...markedPassage(evidence)),
    );
    const { start, end } = evidence.ranges[0] ?? { start: 0, end: 0 };
    const link = this.pageLink(source, passage.text.slice(start, end));
    if (link) this.body.append(link);
  }

  /** What the panel covers cannot be reached by the keyboard. */
  private settle(): void {
    const isOver = this.isOpen && this.chat.clientWidth < BESIDE;
    this.chat.toggleAttribute("data-source", this.isOpen);
    for (const each of this.chat.children) {
      if (each instanceof HTMLElement && each !== this.node) each.inert = isOver;
    }
  }
}
