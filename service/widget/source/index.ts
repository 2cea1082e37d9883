/** The module that a page loads: it defines `<colloquy-chat>`, and one script tag is enough. */

import { ColloquyChat } from "./element";

export type { Context } from "./sessions/question";
export type { ChatEvents } from "./events";
export type { Texts } from "./texts/texts";
export { ColloquyChat };

if (!customElements.get("colloquy-chat")) customElements.define("colloquy-chat", ColloquyChat);

/**
 * `<script type="module" src="…" data-form="launcher" data-serving-config="…">` puts the element
 * at the end of the page, with the data of the script as its attributes.
 */
for (const script of document.querySelectorAll<HTMLScriptElement>('script[type="module"][data-form]')) {
  if (script.src !== import.meta.url) continue;
  const chat = document.createElement("colloquy-chat");
  for (const { name, value } of script.attributes) {
    if (name.startsWith("data-")) chat.setAttribute(name.slice("data-".length), value);
  }
  document.body.append(chat);
}
