/** What stands there before the first question: what the chat is for, and questions to begin with. */

import { make } from "../dom";
import type { Texts } from "../texts/texts";
import type { WidgetConfig } from "../wire";
import { questionButtons } from "./turn_view";

/** Make it; `ask` is called with the question that is chosen. */
export function welcomeNode(
  texts: Texts,
  { starterQuestions = [] }: WidgetConfig,
  ask: (question: string) => void,
): HTMLElement {
  const node = make("div", { className: "welcome" }, make("p", { textContent: texts.welcome }));
  node.append(...questionButtons(starterQuestions, texts.starters, ask));
  return node;
}
