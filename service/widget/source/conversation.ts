/** A session as the chat knows it: its turns, its connection, and what of it survives a reload. */

import { fold, hasEnded, isRunning, QUEUED, type ShownAnswer } from "./answer_state";
import { Connection, type ConnectionState, type TokenProvider } from "./connection";
import { newId } from "./dom";
import { feedbackEvent, type Rating } from "./feedback";
import { openDocument } from "./reader/open_source";
import type { AcceptedFrame, Answer, ElementFrame, ErrorFrame, Session, WidgetConfig } from "./wire";

export interface Turn {
  readonly id: string;
  readonly query: string;
  answer: ShownAnswer;
  /** What the person thinks of it, as far as that was said here. */
  rating?: Rating;
}

export interface ConversationListener {
  connectionChanged(): void;
  /** The service told what the operator says of the chat. */
  configured(): void;
  turnAdded(turn: Turn): void;
  turnChanged(turn: Turn): void;
  /** All turns are gone: another session begins. */
  emptied(): void;
}

/** What a page adds to each question that is asked on it. */
export interface Context {
  /** An expression over fields of documents, as of `searchSpec.searchParams.filter`. */
  filter?: string;
  /** Labels that the service logs and counts with the question, as of `userLabels`. */
  labels?: Record<string, string>;
}

export interface Place {
  /** Of the service: wss://…/v1/ws. */
  socket: string;
  servingConfig: string;
}

export class Conversation {
  readonly turns = new Map<string, Turn>();
  context: Context = {};
  /** What the operator says of the chat; nothing until the service told it. */
  config: WidgetConfig = {};
  connectionState: ConnectionState = "connecting";
  closeCode: number | undefined;
  private listener: ConversationListener | undefined;
  private session = "";
  private readonly connection: Connection;
  private readonly storageKey: string;

  constructor(
    private readonly place: Place,
    private readonly tokenProvider: () => TokenProvider | undefined,
  ) {
    this.storageKey = `colloquy:${place.socket}:${place.servingConfig}`;
    this.connection = new Connection(
      place.socket,
      {
        connectionChanged: (state, code) => this.connectionChanged(state, code),
        accepted: (frame) => this.accepted(frame),
        element: (frame) => this.element(frame),
        refused: (frame) => this.refused(frame),
      },
      tokenProvider,
    );
    void this.recall();
    void this.configure();
  }

  /** Tell one listener from now on what changes; what is there already it reads. */
  listen(listener: ConversationListener): void {
    this.listener = listener;
  }

  /** Show a document where it says `quote`; call it while a click is handled. */
  openDocument(document: string, quote: string): Promise<boolean> {
    return openDocument(document, quote, this.connection, this.place.socket);
  }

  get isAnswering(): boolean {
    return [...this.turns.values()].some(({ answer }) => isRunning(answer.state));
  }

  ask(text: string): Turn {
    const id = newId();
    const turn = this.add({ id, query: text, answer: QUEUED });
    this.connection.ask({
      type: "answer",
      id,
      servingConfig: this.place.servingConfig,
      request: {
        query: { text },
        session: this.session || `${this.store}/sessions/-`,
        answerGenerationSpec: {
          includeCitations: true,
          ignoreAdversarialQuery: true,
          ignoreJailBreakingQuery: true,
        },
        groundingSpec: { includeGroundingSupports: true },
        relatedQuestionsSpec: { enable: true },
        ...this.added(),
      },
    });
    return turn;
  }

  /** Stop what is being answered; the text so far stays. */
  stop(): void {
    for (const { answer } of this.turns.values()) {
      if (isRunning(answer.state) && answer.name) this.connection.cancel(answer.name);
    }
  }

  /** Tell the service what a person thinks of an answer; return whether it took that. */
  async rate(turn: Turn, rating: Rating): Promise<boolean> {
    const asked = [...this.turns.values()].filter(({ answer }) => answer.name);
    const event = feedbackEvent(this.session, asked.indexOf(turn), rating, this.tokenProvider() !== undefined);
    const reply = await this.connection
      .request("POST", `/v1/${this.store}/userEvents:write`, event)
      .catch(() => undefined);
    return reply?.status === 200;
  }

  startNew(): void {
    this.session = "";
    this.connection.forgetAll();
    this.turns.clear();
    this.keep();
    this.listener?.emptied();
  }

  close(): void {
    this.connection.close();
  }

  private added(): Record<string, unknown> {
    const { filter, labels } = this.context;
    return {
      ...(filter ? { searchSpec: { searchParams: { filter } } } : {}),
      ...(labels ? { userLabels: labels } : {}),
    };
  }

  private get store(): string {
    return this.place.servingConfig.split("/servingConfigs/")[0] ?? "";
  }

  private add(turn: Turn): Turn {
    this.turns.set(turn.id, turn);
    this.listener?.turnAdded(turn);
    return turn;
  }

  private change(turn: Turn, answer: ShownAnswer): void {
    turn.answer = answer;
    this.listener?.turnChanged(turn);
  }

  private connectionChanged(state: ConnectionState, code?: number): void {
    this.connectionState = state;
    this.closeCode = code;
    this.listener?.connectionChanged();
  }

  private accepted({ id, answer, session }: AcceptedFrame): void {
    if (session) this.session = session;
    this.keep();
    const turn = this.turns.get(id);
    if (!turn) return;
    const state = turn.answer.state === "QUEUED" ? "IN_PROGRESS" : turn.answer.state;
    this.change(turn, { ...turn.answer, state, name: answer });
  }

  private element(frame: ElementFrame): void {
    const turn = this.turns.get(frame.id);
    if (turn) this.change(turn, fold(turn.answer, frame));
  }

  private refused({ id, error }: ErrorFrame): void {
    const turn = id ? this.turns.get(id) : undefined;
    if (turn) this.change(turn, { ...turn.answer, state: "FAILED", error });
  }

  /* What survives a reload is the session's name; its turns come from the service again. */

  private keep(): void {
    try {
      if (this.session) localStorage.setItem(this.storageKey, this.session);
      else localStorage.removeItem(this.storageKey);
    } catch {
      /* A page without storage begins a new session after each reload. */
    }
  }

  private kept(): string {
    try {
      return localStorage.getItem(this.storageKey) ?? "";
    } catch {
      return "";
    }
  }

  private async configure(): Promise<void> {
    const language = encodeURIComponent(document.documentElement.lang || navigator.language);
    const path = `widgetConfigs/default_search_widget_config?languageCode=${language}`;
    const reply = await this.connection
      .request("GET", `/v1/${this.store}/${path}`)
      .catch(() => undefined);
    if (reply?.status !== 200) return;
    const { displayName, ...config } = reply.body as WidgetConfig & { name?: string };
    // A store that nobody named is called as its id: no word for people.
    const isNamed = displayName && !config.name?.includes(`/${displayName}/`);
    this.config = isNamed ? { ...config, displayName } : config;
    this.listener?.configured();
  }

  private async recall(): Promise<void> {
    const name = this.kept();
    if (!name) return;
    const reply = await this.connection
      .request("GET", `/v1/${name}?includeAnswerDetails=true`)
      .catch(() => undefined);
    if (!reply || this.session) return;
    if (reply.status === 404) this.startNew();
    if (reply.status !== 200) return;
    this.session = name;
    for (const { query, answer, detailedAnswer } of (reply.body as Session).turns ?? []) {
      this.recallTurn(query?.text ?? "", answer ?? "", detailedAnswer);
    }
  }

  private recallTurn(query: string, name: string, told: Answer | undefined): void {
    const state = told?.state ?? "FAILED";
    const known = { ...QUEUED, name, state };
    const answer = told && hasEnded(state) ? fold(known, { response: { answer: told } }) : known;
    const turn = this.add({ id: newId(), query, answer });
    if (isRunning(state)) this.connection.follow(turn.id, name);
  }
}
