/** The chat itself: its head, the turns, and the field for the next question. */

import type { Conversation, ConversationListener, Turn } from "../conversation";
import { make } from "../dom";
import type { Tell } from "../events";
import { filled, type Texts } from "../texts/texts";
import { Composer } from "./composer";
import { Sources } from "./sources";
import { type TurnActions, TurnView } from "./turn_view";
import { welcomeNode } from "./welcome";

/** Pixels from the end within which a growing text is followed. */
const NEAR = 80;

export class Panel implements ConversationListener {
  readonly node: HTMLElement;
  private readonly composer: Composer;
  private readonly connection = make("div", { className: "connection", role: "status" });
  private readonly turns: HTMLElement;
  private welcome: HTMLElement;
  private readonly scroll: HTMLElement;
  private readonly sources: Sources;
  private readonly views = new Map<string, TurnView>();

  constructor(
    private readonly conversation: Conversation,
    private readonly texts: Texts,
    private readonly tell: Tell,
  ) {
    this.composer = new Composer(texts, {
      ask: (text) => this.ask(text),
      stop: () => this.conversation.stop(),
    });
    this.turns = make("ol", { className: "turns", role: "log", "aria-label": texts.answers });
    this.welcome = this.welcoming();
    this.scroll = make("div", { className: "scroll" }, this.welcome, this.turns);
    this.node = make("div", { className: "panel", part: "panel" });
    this.node.append(this.head(), this.connection, this.scroll, this.composer.node);
    this.sources = new Sources(this.node, texts, tell, conversation);
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

  configured(): void {
    const welcome = this.welcoming();
    welcome.hidden = this.welcome.hidden;
    this.welcome.replaceWith(welcome);
    this.welcome = welcome;
    for (const view of this.views.values()) view.changed(() => {});
  }

  turnAdded(turn: Turn): void {
    const view = new TurnView(turn, this.texts, this.turnActions());
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
    this.sources.close();
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

  private turnActions(): TurnActions {
    const { conversation, sources, composer, tell } = this;
    return {
      sources,
      get config() {
        return conversation.config;
      },
      ask: (query) => this.ask(query),
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
