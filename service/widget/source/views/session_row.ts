/** One session of the list: it is opened, renamed, pinned, exported and deleted here. */

import { make } from "../dom";
import type { Texts } from "../texts/texts";
import type { Session } from "../wire";

export interface RowActions {
  open(): void;
  rename(title: string): void;
  pin(): void;
  export(): void;
  remove(): void;
}

/** Return what a session is called in the list. */
export function titleOf({ displayName, turns }: Session, texts: Texts): string {
  return displayName || turns?.[0]?.query?.text || texts.newSession;
}

/** Make the row; the session that is shown `isCurrent`. */
export function sessionRow(session: Session, isCurrent: boolean, texts: Texts, actions: RowActions): HTMLElement {
  const title = titleOf(session, texts);
  const open = make("button", { type: "button", className: "title", textContent: title, dir: "auto" });
  if (isCurrent) open.setAttribute("aria-current", "true");
  open.onclick = actions.open;
  const day = session.endTime ?? session.startTime;
  const when = make("span", { className: "host", textContent: day ? new Date(day).toLocaleDateString() : "" });
  const button = (text: string, press: () => void) => {
    const made = make("button", { type: "button", className: "icon", textContent: text });
    made.setAttribute("aria-label", `${text}: ${title}`);
    made.onclick = press;
    return made;
  };
  const pin = button(session.isPinned ? texts.unpin : texts.pin, actions.pin);
  const rename = button(texts.rename, () => edit(open, title, texts, actions));
  const remove = button(texts.delete, () => {
    // The first press asks, and the second one answers.
    if (remove.textContent === texts.deleteReally) return actions.remove();
    remove.textContent = texts.deleteReally;
    remove.setAttribute("aria-label", `${texts.deleteReally}: ${title}`);
  });
  const buttons = make("div", { className: "buttons" }, pin, rename, button(texts.export, actions.export), remove);
  return make("li", { "data-pinned": session.isPinned || undefined }, open, when, buttons);
}

/** Put a field in the place of the title: Enter keeps what it holds, Escape does not. */
function edit(open: HTMLElement, title: string, texts: Texts, { rename }: RowActions): void {
  const field = make("input", { type: "text", value: title, maxLength: 200, "aria-label": texts.rename, dir: "auto" });
  const end = () => {
    field.onblur = null;
    field.replaceWith(open);
    open.focus();
  };
  const keep = () => {
    const named = field.value.trim();
    end();
    if (named && named !== title) rename(named);
  };
  field.onblur = keep;
  field.onkeydown = (event) => {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault(); // else the same key presses what has the focus next
    event.stopPropagation();
    if (event.key === "Enter") keep();
    else end();
  };
  open.replaceWith(field);
  field.select();
}
