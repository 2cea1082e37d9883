/** Whether an answer helped: two thumbs, then reasons and a comment for the one that points down. */

import type { Turn } from "../sessions/turns";
import { make, speak } from "../dom";
import type { FeedbackReason } from "../feedback";
import type { Texts } from "../texts/texts";
import { iconButton } from "./answer_tools";
import type { TurnActions } from "./turn_view";

const UP = "M2 21h4V9H2zm20-11a2 2 0 0 0-2-2h-6.3l1-4.6v-.3c0-.4-.2-.8-.5-1.1L13.2 1 6.6 7.6A2 2 0 0 0 6 9v10a2 2 0 0 0 2 2h9a2 2 0 0 0 1.8-1.2l3-7c.1-.2.2-.5.2-.8z";
const DOWN = "M22 3h-4v12h4zM2 14a2 2 0 0 0 2 2h6.3l-1 4.6v.3c0 .4.2.8.5 1.1l1 1 6.6-6.6A2 2 0 0 0 18 15V5a2 2 0 0 0-2-2H7a2 2 0 0 0-1.8 1.2l-3 7c-.1.2-.2.5-.2.8z";
/** Characters of a comment: the service takes more. */
const LONGEST = 2000;

export class FeedbackView {
  readonly node = make("div", { className: "feedback" });
  readonly thumbs: readonly [HTMLButtonElement, HTMLButtonElement];
  private readonly said = make("p");

  constructor(
    private readonly turn: Turn,
    private readonly texts: Texts,
    private readonly actions: TurnActions,
  ) {
    const up = iconButton(UP, texts.helpful);
    const down = iconButton(DOWN, texts.notHelpful);
    up.onclick = () => this.judge(true);
    down.onclick = () => this.judge(false);
    this.thumbs = [up, down];
    this.show();
  }

  /** A thumb counts at once: who goes away without a reason has said something, too. */
  private judge(isHelpful: boolean): void {
    if (this.turn.rating?.isHelpful === isHelpful && this.turn.rating.state !== "failed") return;
    this.turn.rating = { isHelpful, reasons: [], comment: "", state: isHelpful ? "sent" : "asked" };
    this.show();
    if (!isHelpful) this.node.querySelector<HTMLElement>("button")?.focus();
    void this.send();
  }

  private async send(): Promise<void> {
    const { rating } = this.turn;
    if (!rating || (await this.actions.rate(this.turn, rating)) || rating !== this.turn.rating) return;
    rating.state = "failed";
    this.show();
  }

  private show(): void {
    const { rating } = this.turn;
    this.thumbs.forEach((thumb, place) =>
      thumb.setAttribute("aria-pressed", String(rating?.isHelpful === (place === 0))),
    );
    const words = { sent: this.texts.thanks, failed: this.texts.notSent, asked: "", kept: "" };
    this.said.textContent = rating ? words[rating.state] : "";
    this.node.replaceChildren(...(rating?.state === "asked" ? [this.form()] : []), this.said);
    if (this.said.textContent) speak(this.node, this.said.textContent);
  }

  private form(): HTMLElement {
    const { texts } = this;
    const chips = make("div", { className: "chips" }, ...reasonsOf(texts).map((each) => this.chip(...each)));
    const comment = make("textarea", {
      rows: 2,
      maxLength: LONGEST,
      placeholder: texts.comment,
      "aria-label": texts.comment,
      dir: "auto",
      value: this.turn.rating?.comment ?? "",
    });
    comment.oninput = () => {
      if (this.turn.rating) this.turn.rating.comment = comment.value;
    };
    const send = make("button", { type: "button", textContent: texts.sendFeedback });
    send.onclick = () => this.complete();
    const group = make("div", { role: "group", "aria-label": texts.whatIsWrong });
    group.append(make("p", { textContent: texts.whatIsWrong }), chips, comment, send);
    return group;
  }

  private complete(): void {
    const { rating } = this.turn;
    if (!rating) return;
    rating.state = "sent";
    this.show();
    this.thumbs[1].focus();
    if (rating.reasons.length || rating.comment.trim()) void this.send();
  }

  private chip(reason: FeedbackReason, text: string): HTMLElement {
    const isChosen = () => this.turn.rating?.reasons.includes(reason) ?? false;
    const chip = make("button", { type: "button", textContent: text, "aria-pressed": String(isChosen()) });
    chip.onclick = () => {
      const { rating } = this.turn;
      if (!rating) return;
      rating.reasons = isChosen()
        ? rating.reasons.filter((each) => each !== reason)
        : [...rating.reasons, reason];
      chip.setAttribute("aria-pressed", String(isChosen()));
    };
    return chip;
  }
}

function reasonsOf(texts: Texts): [FeedbackReason, string][] {
  return [
    ["INACCURATE_RESPONSE", texts.reasonInaccurate],
    ["NOT_RELEVANT", texts.reasonNotRelevant],
    ["INCOMPREHENSIVE", texts.reasonIncomplete],
    ["BAD_CITATION", texts.reasonBadSource],
    ["FORMAT_AND_STYLES", texts.reasonFormat],
    ["OFFENSIVE_OR_UNSAFE", texts.reasonHarmful],
  ];
}
