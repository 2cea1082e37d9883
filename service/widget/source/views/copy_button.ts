/** Buttons that copy a text and say that they did. */

import { copyText } from "../clipboard";
import { icon, make, speak } from "../dom";
import type { Texts } from "../texts/texts";

/** Milliseconds for which a button says what came of it. */
const SAID = 2500;

/** Make one with words. */
export function copyButton(texts: Texts, label: string, text: () => string): HTMLButtonElement {
  const said = make("span", { textContent: label });
  const button = make("button", { type: "button", className: "copy" }, said);
  whenCopied(button, texts, text, (outcome) => (said.textContent = outcome ?? label));
  return button;
}

/** Make one with a drawing; what came of it stands beside it for a moment. */
export function copyIcon(texts: Texts, path: string, label: string, text: () => string): HTMLButtonElement {
  const said = make("span");
  const button = make("button", { type: "button", className: "icon", title: label, "aria-label": label });
  button.append(icon(path), said);
  whenCopied(button, texts, text, (outcome) => (said.textContent = outcome ?? ""));
  return button;
}

function whenCopied(
  button: HTMLButtonElement,
  texts: Texts,
  text: () => string,
  say: (outcome: string | undefined) => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  button.onclick = async () => {
    const outcome = (await copyText(text())) ? texts.copied : texts.notCopied;
    say(outcome);
    speak(button, outcome);
    clearTimeout(timer);
    timer = setTimeout(() => say(undefined), SAID);
  };
}
