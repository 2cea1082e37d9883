/** Where a question is written and sent, and what is being answered is stopped. */

import { make } from "../dom";
import type { Texts } from "../texts/texts";
import { voiceButton } from "./voice_button";

/** Characters of a question; the service takes no more. */
const LONGEST = 10_000;
const MOST_ROWS = 6;

export class Composer {
  readonly node: HTMLFormElement;
  private readonly field: HTMLTextAreaElement;
  private readonly stop: HTMLButtonElement;

  constructor(texts: Texts, actions: { ask(text: string): void; stop(): void }) {
    this.field = make("textarea", {
      rows: 1,
      maxLength: LONGEST,
      placeholder: texts.placeholder,
      "aria-label": texts.question,
      dir: "auto",
    });
    this.stop = make("button", { type: "button", textContent: texts.stop, hidden: true });
    const ask = make("button", { type: "submit", textContent: texts.ask });
    const voice = voiceButton(texts, this.field, () => this.fit());
    this.node = make("form", {}, this.field, ...voice, this.stop, ask);
    this.stop.onclick = () => actions.stop();
    this.field.oninput = () => this.fit();
    this.field.onkeydown = (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.node.requestSubmit();
    };
    this.node.onsubmit = (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (!text) return;
      this.field.value = "";
      this.fit();
      actions.ask(text);
    };
  }

  get draft(): string {
    return this.field.value;
  }

  set draft(text: string) {
    this.field.value = text;
    this.fit();
  }

  get hasFocus(): boolean {
    return this.field.matches(":focus");
  }

  focus(): void {
    this.field.focus();
  }

  /** Offer to stop while something is answered. */
  answering(isAnswering: boolean): void {
    this.stop.hidden = !isAnswering;
  }

  private fit(): void {
    this.field.rows = Math.min(this.field.value.split("\n").length, MOST_ROWS);
  }
}
