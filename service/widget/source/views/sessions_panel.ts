/** The list of a person's sessions, over the chat: what they hold is looked for here. */

import { copyOf } from "../answers/answer_copy";
import type { Conversation } from "../conversation";
import { make, speak } from "../dom";
import type { SessionList } from "../sessions/session_list";
import type { Texts } from "../texts/texts";
import type { Session } from "../wire";
import { sessionRow, titleOf } from "./session_row";

/** Pages that a search reads at most. */
const SEARCHED_PAGES = 10;

export class SessionsPanel {
  readonly node: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly rows = make("ul", { className: "sessions" });
  private readonly status = make("p");
  private readonly more: HTMLButtonElement;
  private list: SessionList | undefined;
  private sessions: Session[] = [];
  /** Those that have a row, in the order of the rows. */
  private shown: Session[] = [];
  private next = "";
  /** What had the focus when the panel opened. */
  private before: HTMLElement | undefined;

  /** `chat` is what the panel stands in. */
  constructor(
    private readonly chat: HTMLElement,
    private readonly texts: Texts,
    private readonly conversation: Conversation,
  ) {
    const heading = make("h3", { textContent: texts.sessions });
    const close = make("button", { type: "button", textContent: texts.close });
    close.onclick = () => this.close();
    this.search = make("input", {
      type: "search",
      "aria-label": texts.searchSessions,
      placeholder: texts.searchSessions,
      dir: "auto",
    });
    this.search.oninput = () => void this.look();
    this.more = make("button", { type: "button", textContent: texts.more, hidden: true });
    this.more.onclick = () => void this.readMore();
    const head = make("div", { className: "source-head" }, heading, close);
    const body = make("div", { className: "source-body" }, this.search, this.status, this.rows, this.more);
    this.node = make("aside", { className: "source", hidden: true, "aria-label": texts.sessions }, head, body);
    this.node.onkeydown = (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault(); // the panel of a launcher stays open
      this.close();
    };
    chat.append(this.node);
  }

  open(opener: HTMLElement): void {
    this.list = this.conversation.sessions;
    this.before = opener;
    this.sessions = [];
    this.next = this.search.value = "";
    this.rows.replaceChildren();
    this.cover(true);
    this.search.focus();
    void this.readMore();
  }

  close(): void {
    this.cover(false);
    this.before?.focus();
  }

  /** What the panel covers cannot be reached by the keyboard. */
  private cover(isOpen: boolean): void {
    this.node.hidden = !isOpen;
    this.chat.toggleAttribute("data-source", isOpen);
    for (const each of this.chat.children) {
      if (each instanceof HTMLElement && each !== this.node) each.inert = isOpen;
    }
  }

  private async readMore(): Promise<void> {
    const { list } = this;
    const page = await list?.read(this.next);
    if (list !== this.list) return; // the panel was opened anew meanwhile
    this.sessions.push(...(page?.sessions ?? []));
    this.next = page?.next ?? "";
    this.show(page ? "" : this.texts.notSent);
  }

  /** Show what the field asks for; of a long list more is read for that. */
  private async look(): Promise<void> {
    this.show("");
    for (let left = SEARCHED_PAGES; left && this.next && this.search.value; left -= 1) await this.readMore();
  }

  private show(failure: string): void {
    const words = this.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const found = this.sessions.filter((session) => {
      const said = [titleOf(session, this.texts), ...(session.turns ?? []).map(({ query }) => query?.text)];
      const text = said.join("\n").toLocaleLowerCase();
      return words.every((word) => text.includes(word));
    });
    found.sort((one, other) => Number(other.isPinned ?? false) - Number(one.isPinned ?? false));
    this.showRows(found);
    this.more.hidden = !this.next;
    const status = failure || (found.length ? "" : this.texts.noSessions);
    if (status && status !== this.status.textContent) speak(this.status, status);
    this.status.textContent = status;
  }

  /** Make the rows anew; the control that has the focus keeps it. */
  private showRows(sessions: Session[]): void {
    const at = this.rows.querySelector<HTMLElement>(":focus");
    const rowAt = [...this.rows.children].findIndex((row) => row.contains(at));
    const place = at ? buttonsIn(this.rows.children[rowAt]).indexOf(at) : -1;
    const focused = this.shown[rowAt];
    this.shown = sessions;
    this.rows.replaceChildren(...sessions.map((each) => this.row(each)));
    if (focused) buttonsIn(this.rows.children[sessions.indexOf(focused)])[place]?.focus();
  }

  private row(session: Session): HTMLElement {
    const { conversation, texts } = this;
    const name = session.name ?? "";
    return sessionRow(session, name === conversation.sessionName, texts, {
      open: () => {
        conversation.openSession(name);
        this.close();
      },
      rename: (displayName) => void this.change(session, { displayName }),
      pin: () => void this.change(session, { isPinned: !session.isPinned }),
      export: () => void this.export(session),
      remove: () => void this.remove(session),
    });
  }

  private async change(session: Session, change: { displayName: string } | { isPinned: boolean }): Promise<void> {
    const changed = await this.list?.change(session.name ?? "", change);
    if (changed) Object.assign(session, change);
    this.show(changed ? "" : this.texts.notSent);
  }

  private async remove(session: Session): Promise<void> {
    const isGone = await this.list?.remove(session.name ?? "");
    if (isGone) {
      this.sessions = this.sessions.filter((each) => each !== session);
      if (session.name === this.conversation.sessionName) this.conversation.startNew();
    }
    this.show(isGone ? "" : this.texts.notSent);
    this.search.focus();
  }

  /** Hand a session out as a file of Markdown. */
  private async export(session: Session): Promise<void> {
    const turns = await this.list?.turns(session.name ?? "");
    this.show(turns ? "" : this.texts.notSent);
    if (!turns) return;
    const title = titleOf(session, this.texts);
    const parts = turns.map(({ query, answer }) => `## ${query}\n\n${copyOf(answer, this.texts.sources)}`);
    const file = new Blob([[`# ${title}`, ...parts].join("\n\n"), "\n"], { type: "text/markdown" });
    const href = URL.createObjectURL(file);
    make("a", { href, download: `${title.slice(0, 60).replace(/[^\p{L}\p{N} -]/gu, "_")}.md` }).click();
    setTimeout(() => URL.revokeObjectURL(href));
  }
}

function buttonsIn(row: Element | undefined): HTMLElement[] {
  return [...(row?.querySelectorAll("button") ?? [])];
}
