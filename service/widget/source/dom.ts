/** Nodes without markup: nothing that the service says is ever read as HTML. */

type Properties = Record<string, unknown>;

/** Make an element; `aria-…`, `data-…`, `role`, `part`, `dir` and `lang` become attributes. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (/^(?:aria-|data-|role$|part$|dir$|lang$)/.test(name)) node.setAttribute(name, String(value));
    else (node as unknown as Properties)[name] = value;
  }
  node.append(...children);
  return node;
}

/** Return the address if a person may be led there, else "". */
export function safeLink(uri: string): string {
  try {
    const url = new URL(uri);
    return ["http:", "https:", "mailto:", "tel:"].includes(url.protocol) ? url.href : "";
  } catch {
    return "";
  }
}

/** Make a link that opens outside the chat and tells the other side nothing. */
export function outsideLink(href: string, ...children: (Node | string)[]): HTMLAnchorElement {
  return make("a", { href, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

/** Make up an id; `crypto.randomUUID` is there in secure contexts only. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

/** The one region of a chat that speaks to screen readers. */
export function spokenRegion(): HTMLElement {
  return make("div", { className: "unseen", role: "status" });
}

/** Have screen readers say something of what stands at `place`, unless that is not shown. */
export function speak(place: HTMLElement, words: string): void {
  const root = place.getRootNode();
  if (!(root instanceof ShadowRoot) || !place.getClientRects().length) return;
  // As a new node: the same words again are new words.
  root.querySelector("[role=status]")?.replaceChildren(make("p", { textContent: words }));
}

/** Make a drawing of 24 by 24 from the path of its shape, for the eye only. */
export function icon(path: string): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const node = document.createElementNS(space, "svg");
  node.setAttribute("viewBox", "0 0 24 24");
  node.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(space, "path");
  shape.setAttribute("d", path);
  node.append(shape);
  return node;
}
