/** What can be done with an answer that ended: take it along, ask again, say whether it helped. */

import { copyOf } from "../answers/answer_copy";
import { linkTo } from "../asked_link";
import type { Turn } from "../sessions/turns";
import { icon, make } from "../dom";
import type { Texts } from "../texts/texts";
import { copyIcon } from "./copy_button";
import { FeedbackView } from "./feedback_view";
import type { TurnActions } from "./turn_view";

const SHEETS = "M16 1H4a2 2 0 0 0-2 2v14h2V3h12zm3 4H8a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zm0 16H8V7h11z";
const CHAIN = "M3.9 12A3.1 3.1 0 0 1 7 8.9h4V7H7a5 5 0 0 0 0 10h4v-1.9H7A3.1 3.1 0 0 1 3.9 12zM8 13h8v-2H8zm9-6h-4v1.9h4a3.1 3.1 0 0 1 0 6.2h-4V17h4a5 5 0 0 0 0-10z";
const AROUND = "M17.7 6.3A8 8 0 1 0 19.7 14h-2.1A6 6 0 1 1 12 6c1.7 0 3.1.7 4.2 1.8L13 11h7V4z";

export class AnswerTools {
  readonly node: HTMLElement;

  constructor(turn: Turn, texts: Texts, actions: TurnActions) {
    const again = iconButton(AROUND, texts.askAgain);
    again.onclick = () => actions.ask(turn.query);
    const buttons = make("div", { className: "buttons" });
    const { answer } = turn;
    if (answer.text && !answer.skippedReasons.length) {
      buttons.append(copyIcon(texts, SHEETS, texts.copyAnswer, () => copyOf(turn.answer, texts.sources)));
    }
    buttons.append(copyIcon(texts, CHAIN, texts.copyLink, () => linkTo(turn.query)), again);
    this.node = make("div", { className: "tools" }, buttons);
    if (answer.state !== "SUCCEEDED" || !answer.name) return;
    const feedback = new FeedbackView(turn, texts, actions);
    buttons.append(...feedback.thumbs);
    this.node.append(feedback.node);
  }
}

/** Make a button that shows a drawing and is called `label`. */
export function iconButton(path: string, label: string): HTMLButtonElement {
  const button = make("button", { type: "button", className: "icon", title: label, "aria-label": label });
  button.append(icon(path));
  return button;
}
