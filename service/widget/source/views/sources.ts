/** A source that is looked at: for a moment beside its mark, or in the panel of sources. */

import type { Cited, Source } from "../answers/citations";
import { make, outsideLink, safeLink, speak } from "../dom";
import type { Tell } from "../events";
import { isReadable, pageAddress } from "../reader/open_source";
import type { Texts } from "../texts/texts";
import type { SourceViews } from "./answer_text";
import { SourcePanel } from "./source_panel";
import { SourcePopover } from "./source_popover";

/** Shows a document of the service; false where that was not to be had. */
export interface OpensDocuments {
  openDocument(document: string, quote: string): Promise<boolean>;
}

export class Sources implements SourceViews {
  readonly previewId: string;
  private readonly popover: SourcePopover;
  private readonly panel: SourcePanel;

  /** `chat` is what the panel stands in. */
  constructor(
    chat: HTMLElement,
    private readonly texts: Texts,
    private readonly tell: Tell,
    private readonly documents: OpensDocuments,
  ) {
    this.popover = new SourcePopover(texts);
    this.panel = new SourcePanel(
      texts,
      chat,
      (source, quote) => this.pageLink(source, quote),
      () => this.popover.hide(), // the mark has the focus again, and was looked at
    );
    this.previewId = this.popover.node.id;
    chat.append(this.panel.node, this.popover.node);
    chat.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !(this.popover.isOpen || this.panel.isOpen)) return;
      event.preventDefault(); // the panel of a launcher stays open
      if (this.popover.isOpen) this.popover.hide();
      else this.panel.close();
    });
  }

  preview(mark: HTMLElement, cited: Cited): void {
    this.popover.show(mark, cited);
  }

  endPreview(): void {
    this.popover.hideSoon();
  }

  open(mark: HTMLElement, cited: Cited): void {
    this.popover.hide();
    this.panel.open(mark, cited);
    const { title, document, uri } = cited.source;
    this.tell("citation-open", { title, document, uri });
  }

  close(): void {
    this.popover.hide();
    this.panel.close();
  }

  /** The way to the document: its own page, or else the one that the service shows. */
  private pageLink({ uri, document }: Source, quote: string): HTMLElement | undefined {
    const { texts } = this;
    const href = pageAddress(uri, quote) || safeLink(uri);
    if (href) return make("p", {}, outsideLink(href, texts.openPage));
    if (!isReadable(document)) return undefined;
    const button = make("button", { type: "button", textContent: texts.openPage });
    const failed = make("span");
    button.onclick = async () => {
      failed.textContent = "";
      const isOpen = await this.documents.openDocument(document, quote);
      if (isOpen) return;
      failed.textContent = texts.notOpened;
      speak(button, texts.notOpened);
    };
    return make("p", {}, button, " ", failed);
  }
}
