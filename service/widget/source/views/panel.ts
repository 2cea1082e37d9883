/** The chat itself: its head, the turns, and the field for the next question. */

import type { Conversation, ConversationListener, Turn } from "../conversation";
import { make } from "../dom";
import type { Tell } from "../events";
import { filled, type Texts } from "../texts/texts";
import { Composer } from "./composer";
import { SourcePopover } from "./source_popover";
import { TurnView } from "./turn_view";

/** Pixels from the end within which a growing text is followed. */
const NEAR = 80;

export class Panel implements ConversationListener {
  readonly node: HTMLElement;
  private readonly composer: Composer;
  private readonly connection = make("div", { className: "connection", role: "status" });
  private readonly turns: HTMLElement;
  private readonly welcome: HTMLElement;
  private readonly scroll: HTMLElement;
  private readonly popover: SourcePopover;
  private readonly views = new Map<string, TurnView>();

  constructor(
    private readonly conversation: Conversation,
    private readonly texts: Texts,
    private readonly tell: Tell,
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
    for (const turn of conversation.turns.values()) this.turnAdded(turn);
    this.showConnection();
    conversation.listen(this);
  }

  ask(text: string): Turn {
    const turn = this.conversation.ask(text);
    this.tell("question", { query: text });
    this.toEnd();
    return turn;
  }

  connectionChanged(): void {
    this.showConnection();
    const { connectionState, closeCode } = this.conversation;
    const message = this.connection.textContent ?? "";
    if (connectionState === "ready") this.tell("ready", {});
    if (connectionState === "refused") this.tell("error", { code: closeCode ?? 0, message });
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
    this.tellEnd(turn);
  }

  emptied(): void {
    this.views.clear();
    this.turns.replaceChildren();
    this.welcome.hidden = false;
    this.refresh();
    this.composer.focus();
  }

  private tellEnd({ query, answer }: Turn): void {
    const { name, text, state, skippedReasons } = answer;
    if (state !== "SUCCEEDED" && state !== "FAILED") return;
    this.tell("answer", { query, name, text, state, refused: skippedReasons.length > 0 });
  }

  /** What is written and not sent yet. */
  get draft(): string {
    return this.composer.draft;
  }

  set draft(text: string) {
    this.composer.draft = text;
  }

  private head(): HTMLElement {
    const anew = make("button", { type: "button", textContent: this.texts.newSession });
    anew.onclick = () => this.conversation.startNew();
    return make("header", {}, make("h2", { textContent: this.texts.title }), anew);
  }

  private showConnection(): void {
    const { connectionState, closeCode } = this.conversation;
    this.connection.dataset["state"] = connectionState;
    this.connection.textContent = filled(this.texts[connectionState], { code: closeCode ?? "" });
  }

  private refresh(): void {
    this.composer.answering(this.conversation.isAnswering);
  }

  private toEnd(): void {
    this.scroll.scrollTop = this.scroll.scrollHeight;
  }
}
