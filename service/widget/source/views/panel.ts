/** The chat itself: its head, the turns, and the field for the next question. */

import type { Conversation, ConversationListener } from "../conversation";
import type { Turn } from "../sessions/turns";
import { icon, make } from "../dom";
import type { Tell } from "../events";
import type { Texts } from "../texts/texts";
import { Composer } from "./composer";
import { ConnectionBar } from "./connection_bar";
import { Following } from "./following";
import { keepFocus } from "./kept_focus";
import { SessionsPanel } from "./sessions_panel";
import { Sources } from "./sources";
import { type TurnActions, TurnView } from "./turn_view";
import { welcomeNode } from "./welcome";

const LINES = "M4 5h16v2H4zm0 6h16v2H4zm0 6h16v2H4z";

export class Panel implements ConversationListener {
  readonly node: HTMLElement;
  private readonly composer: Composer;
  private readonly connection: ConnectionBar;
  private readonly turns: HTMLElement;
  private welcome: HTMLElement;
  private readonly following: Following;
  private readonly earlier: HTMLButtonElement;
  private readonly sources: Sources;
  private readonly sessions: SessionsPanel;
  private readonly list: HTMLButtonElement;
  private readonly views = new Map<string, TurnView>();

  constructor(
    private readonly conversation: Conversation,
    private readonly texts: Texts,
    private readonly tell: Tell,
    private readonly isWholePage = false,
  ) {
    this.composer = new Composer(texts, {
      ask: (text) => this.ask(text),
      stop: () => this.conversation.stop(),
    });
    this.turns = make("ol", { className: "turns", "aria-label": texts.answers });
    this.welcome = this.welcoming();
    this.connection = new ConnectionBar(texts, () => conversation.retry());
    this.earlier = make("button", { type: "button", className: "earlier", textContent: texts.earlier, hidden: true });
    this.earlier.onclick = () => void conversation.readEarlier();
    const scroll = make("div", { className: "scroll" }, this.welcome, this.earlier, this.turns);
    // Between the heading of a page and those of the questions.
    if (isWholePage) scroll.prepend(make("h2", { className: "unseen", textContent: texts.answers }));
    this.following = new Following(scroll, this.turns, texts);
    // Who scrolls up to the first turn wants those before it.
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && this.earlier.click(), {
      root: scroll,
    });
    seen.observe(this.earlier);
    const { sessions: title } = texts;
    this.list = make("button", { type: "button", className: "icon", title, "aria-label": title });
    this.list.append(icon(LINES));
    this.list.onclick = () => {
      this.sources.close();
      this.sessions.open(this.list);
    };
    const tag = isWholePage ? "main" : "section";
    this.node = make(tag, { className: "panel", part: "panel", "aria-label": texts.title });
    keepFocus(this.node, () => this.composer.focus());
    this.node.append(this.head(), this.connection.node, scroll, this.following.button, this.composer.node);
    this.sessions = new SessionsPanel(this.node, texts, conversation);
    this.sources = new Sources(this.node, texts, tell, conversation);
    conversation.listen(this);
    for (const turn of conversation.turns.values()) this.turnAdded(turn);
    this.showEarlier();
    this.showConnection();
  }

  ask(text: string): Turn {
    const turn = this.conversation.ask(text);
    this.tell("question", { query: text });
    this.following.toEnd();
    return turn;
  }

  connectionChanged(): void {
    this.showConnection();
    for (const { id } of this.conversation.turns.waiting) this.views.get(id)?.changed();
    const { connectionState, closeCode } = this.conversation;
    const { message } = this.connection;
    if (connectionState === "ready") this.tell("ready", {});
    if (connectionState === "refused") this.tell("error", { code: closeCode ?? 0, message });
  }

  configured(): void {
    const welcome = this.welcoming();
    welcome.hidden = this.welcome.hidden;
    this.welcome.replaceWith(welcome);
    this.welcome = welcome;
    for (const view of this.views.values()) view.changed();
  }

  turnAdded(turn: Turn): void {
    this.turns.append(this.viewOf(turn).node);
    this.welcome.hidden = true;
    this.refresh();
    this.following.grown();
  }

  earlierAdded(turns: readonly Turn[]): void {
    const first = this.turns.firstElementChild;
    const add = () => {
      this.turns.prepend(...turns.map((turn) => this.viewOf(turn).node));
      this.showEarlier();
    };
    if (first instanceof HTMLElement) this.following.keep(first, add);
    else add();
    this.welcome.hidden ||= turns.length > 0;
    this.refresh();
  }

  turnChanged(turn: Turn): void {
    this.views.get(turn.id)?.changed();
    this.following.grown();
    this.refresh();
    this.tellEnd(turn);
  }

  turnRemoved(turn: Turn): void {
    this.views.get(turn.id)?.node.remove();
    this.views.delete(turn.id);
    this.refresh();
  }

  emptied(): void {
    this.sources.close();
    this.views.clear();
    this.turns.replaceChildren();
    this.welcome.hidden = false;
    this.showEarlier();
    this.refresh();
    this.composer.focus();
  }

  private tellEnd({ query, answer }: Turn): void {
    const { name, text, state, skippedReasons } = answer;
    if (state !== "SUCCEEDED" && state !== "FAILED") return;
    // The next one waits no longer.
    for (const { id } of this.conversation.turns.running) this.views.get(id)?.changed();
    this.tell("answer", { query, name, text, state, refused: skippedReasons.length > 0 });
  }

  /** What is written and not sent yet. */
  get draft(): string {
    return this.composer.draft;
  }

  set draft(text: string) {
    this.composer.draft = text;
  }

  /** Whether a person is at the field. */
  get isWriting(): boolean {
    return this.composer.hasFocus;
  }

  /** Put the person at the field. */
  write(): void {
    this.composer.focus();
  }

  private turnActions(): TurnActions {
    const { conversation, sources, composer, tell } = this;
    return {
      sources,
      get config() {
        return conversation.config;
      },
      ask: (query) => this.ask(query),
      waitsFor: (turn) => conversation.waitsFor(turn),
      takeBack: (turn) => {
        conversation.takeBack(turn);
        composer.draft ||= turn.query;
        composer.focus();
      },
      edit: (query) => {
        composer.draft = query;
        composer.focus();
      },
      rate: (turn, rating) => {
        const { isHelpful: helpful, reasons, comment } = rating;
        tell("feedback", { answer: turn.answer.name, helpful, reasons, comment });
        return conversation.rate(turn, rating);
      },
      handover: (query, contact) => tell("handover", { query, contact }),
    };
  }

  private welcoming(): HTMLElement {
    return welcomeNode(this.texts, this.conversation.config, (question) => this.ask(question));
  }

  private head(): HTMLElement {
    const anew = make("button", { type: "button", textContent: this.texts.newSession });
    anew.onclick = () => this.conversation.startNew();
    const heading = make(this.isWholePage ? "h1" : "h2", { textContent: this.texts.title });
    return make("header", {}, heading, this.list, anew);
  }

  private showConnection(): void {
    const { connectionState, closeCode } = this.conversation;
    this.connection.show(connectionState, closeCode);
    this.list.hidden = !this.conversation.sessions;
  }

  private showEarlier(): void {
    this.earlier.hidden = !this.conversation.hasEarlier;
  }

  private viewOf(turn: Turn): TurnView {
    const view = new TurnView(turn, this.texts, this.turnActions());
    this.views.set(turn.id, view);
    return view;
  }

  private refresh(): void {
    this.composer.answering(this.conversation.isAnswering);
  }
}
