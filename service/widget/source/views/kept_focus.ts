/** Keeps the keyboard in the chat when the control that it is at goes away. */

/** Call `instead` when what had the focus in `chat` was removed or hidden. */
export function keepFocus(chat: HTMLElement, instead: () => void): void {
  let last: HTMLElement | undefined;
  const isShown = () => last?.getClientRects().length;
  chat.addEventListener("focusin", ({ target }) => {
    last = target instanceof HTMLElement ? target : undefined;
  });
  // A browser may tell this before what is removed is gone: the person left only what stays.
  chat.addEventListener("focusout", () => queueMicrotask(() => isShown() && !hasFocus(chat) && (last = undefined)));
  new MutationObserver(() => {
    if (!last || isShown() || !chat.getClientRects().length) return;
    last = undefined;
    if (!hasFocus(chat)) instead();
  }).observe(chat, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden"] });
}

function hasFocus(chat: HTMLElement): boolean {
  const { activeElement } = chat.getRootNode() as ShadowRoot;
  return chat.contains(activeElement) && Boolean(activeElement?.getClientRects().length);
}
