/** The bubble in the corner of a page, and the panel that it opens as a dialog. */

import { icon, make, speak } from "../dom";
import type { Texts } from "../texts/texts";
import { CROSS } from "./source_panel";

const BUBBLE = "M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z";


export class Launcher {
  readonly node: HTMLElement;
  private readonly bubble: HTMLButtonElement;
  private readonly dialog: HTMLElement;
  private readonly unread = make("span", { className: "unread", hidden: true, "aria-hidden": "true" });
  /** What had the focus when the panel opened, where that was not the bubble. */
  private before: HTMLElement | undefined;

  constructor(
    private readonly texts: Texts,
    private readonly panel: HTMLElement,
  ) {
    this.bubble = make("button", {
      type: "button",
      className: "bubble",
      part: "bubble",
      "aria-haspopup": "dialog",
      "aria-expanded": "false",
    });
    this.bubble.append(icon(BUBBLE), icon(CROSS), this.unread);
    this.bubble.onclick = () => (this.isOpen ? this.close() : this.open());
    this.dialog = make(
      "div",
      { className: "dialog", part: "dialog", role: "dialog", "aria-label": texts.title, hidden: true },
      panel,
    );
    this.dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.stopPropagation();
      this.close();
    });
    this.node = make("div", { className: "launcher" }, this.dialog, this.bubble);
    this.label();
  }

  get isOpen(): boolean {
    return !this.dialog.hidden;
  }

  open(): void {
    if (this.isOpen) return;
    const active = document.activeElement;
    this.before = active instanceof HTMLElement && active !== document.body ? active : undefined;
    this.dialog.hidden = false;
    this.unread.hidden = true;
    this.label();
    this.panel.querySelector("textarea")?.focus();
  }

  close(): void {
    if (!this.isOpen) return;
    this.dialog.hidden = true;
    this.label();
    const before = this.before?.isConnected && !this.before.shadowRoot ? this.before : this.bubble;
    before.focus();
  }

  /** Mark that something was said while the panel was closed. */
  markUnread(): void {
    if (this.isOpen) return;
    this.unread.hidden = false;
    this.label();
    speak(this.bubble, this.texts.openUnread);
  }

  private label(): void {
    const { texts, isOpen } = this;
    const closed = this.unread.hidden ? texts.open : texts.openUnread;
    this.bubble.setAttribute("aria-label", isOpen ? texts.close : closed);
    this.bubble.setAttribute("aria-expanded", String(isOpen));
  }
}
