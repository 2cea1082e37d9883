/** How a person is reached: what the operator says, and a link. */

import { make, outsideLink, safeLink } from "../dom";
import type { Texts } from "../texts/texts";
import type { WidgetConfig } from "../wire";

/** Make it; `chosen` is told the address when somebody goes there. */
export function contactNodes(
  contact: WidgetConfig["contact"],
  texts: Texts,
  chosen: (contact: string) => void,
): HTMLElement[] {
  if (!contact) return [];
  const said = make("span", { textContent: contact.text || texts.contact, dir: "auto" });
  const href = safeLink(contact.uri ?? "");
  if (!href) return [said];
  const link = outsideLink(href, texts.contactLink);
  link.className = "contact";
  link.onclick = () => chosen(href);
  return [said, link];
}
