/** The chat itself: its head, the turns, and the field for the next question. */

import type { ConnectionState, TokenProvider } from "../connection";
import { Conversation, type ConversationListener, type Place, type Turn } from "../conversation";
import { make } from "../dom";
import { filled, type Texts } from "../texts/texts";
import { Composer } from "./composer";
import { SourcePopover } from "./source_popover";
import { TurnView } from "./turn_view";

/** Pixels from the end within which a growing text is followed. */
const NEAR = 80;

export class Panel implements ConversationListener {
  readonly node: HTMLElement;
  readonly conversation: Conversation;
  private readonly composer: Composer;
  private readonly connection = make("div", { className: "connection", role: "status" });
  private readonly turns: HTMLElement;
  private readonly welcome: HTMLElement;
  private readonly scroll: HTMLElement;
  private readonly popover: SourcePopover;
  private readonly views = new Map<string, TurnView>();

  constructor(
    private readonly texts: Texts,
    place: Place,
    tokenProvider: () => TokenProvider | undefined,
  ) {
    this.popover = new SourcePopover(texts);
    this.composer = new Composer(texts, {
      ask: (text) => this.ask(text),
      stop: () => this.conversation.stop(),
    });
    this.turns = make("ol", { className: "turns", role: "log", "aria-label": texts.answers });
    this.welcome = make("p", { className: "welcome", textContent: texts.welcome });
    this.scroll = make("div", { className: "scroll" }, this.welcome, this.turns);
    this.node = make("div", { className: "panel", part: "panel" });
    this.node.append(this.head(), this.connection, this.scroll, this.composer.node, this.popover.node);
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.popover.hide();
    });
    this.conversation = new Conversation(place, this, tokenProvider);
  }

  ask(text: string): Turn {
    const turn = this.conversation.ask(text);
    this.toEnd();
    return turn;
  }

  close(): void {
    this.conversation.close();
  }

  connectionChanged(state: ConnectionState, code?: number): void {
    this.connection.dataset["state"] = state;
    this.connection.textContent = filled(this.texts[state], { code: code ?? "" });
  }

  turnAdded(turn: Turn): void {
    const view = new TurnView(turn, this.texts, this.popover, { ask: (query) => this.ask(query) });
    this.views.set(turn.id, view);
    this.turns.append(view.node);
    this.welcome.hidden = true;
    this.refresh();
    this.toEnd();
  }

  turnChanged(turn: Turn): void {
    const { scrollHeight, scrollTop, clientHeight } = this.scroll;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR;
    this.views.get(turn.id)?.changed(() => {
      if (isNear) this.toEnd();
    });
    this.refresh();
  }

  emptied(): void {
    this.views.clear();
    this.turns.replaceChildren();
    this.welcome.hidden = false;
    this.refresh();
    this.composer.focus();
  }

  private head(): HTMLElement {
    const anew = make("button", { type: "button", textContent: this.texts.newSession });
    anew.onclick = () => this.conversation.startNew();
    return make("header", {}, make("h2", { textContent: this.texts.title }), anew);
  }

  private refresh(): void {
    this.composer.answering(this.conversation?.isAnswering ?? false);
  }

  private toEnd(): void {
    this.scroll.scrollTop = this.scroll.scrollHeight;
  }
}
