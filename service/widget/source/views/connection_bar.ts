/** What is said of the connection: nothing while all is well, and what to do where nothing goes. */

import type { ConnectionState } from "../connection/connection";
import { make, speak } from "../dom";
import { filled, type Texts } from "../texts/texts";

/** Close codes: no token, or none that holds; a page, or a person, that is not let in. */
const SIGN_IN = [4401, 4408];
const FORBIDDEN = 4403;

export class ConnectionBar {
  readonly node = make("div", { className: "connection" });
  private readonly words = make("span");
  private readonly again: HTMLButtonElement;

  /** `retry` is called where the person wants to try again. */
  constructor(
    private readonly texts: Texts,
    retry: () => void,
  ) {
    this.again = make("button", { type: "button", textContent: texts.tryAgain, hidden: true });
    this.again.onclick = retry;
    this.node.append(this.words, this.again);
  }

  /** What is said now. */
  get message(): string {
    return this.words.textContent ?? "";
  }

  /** `code` is the close code of a connection that is refused. */
  show(state: ConnectionState, code = 0): void {
    this.node.dataset["state"] = state;
    const before = this.message;
    this.words.textContent = state === "refused" ? this.refusal(code) : this.texts[state];
    this.again.hidden = state !== "refused";
    this.node.hidden = false;
    if (this.message !== before) speak(this.node, this.message);
    this.node.hidden = !this.message;
  }

  private refusal(code: number): string {
    const { texts } = this;
    if (SIGN_IN.includes(code)) return texts.refusedSignIn;
    if (code === FORBIDDEN) return filled(texts.refusedOrigin, { origin: location.origin });
    return filled(texts.refused, { code });
  }
}
