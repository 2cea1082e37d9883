/** The conversation of a chat: which session it is, what is asked in it, and what is answered. */

import { fold, QUEUED, reasonOf } from "./answer_state";
import { Connection, type ConnectionState } from "./connection/connection";
import type { TokenProvider } from "./connection/tokens";
import { newId } from "./dom";
import { feedbackEvent, keptRating, type Rating } from "./feedback";
import { openDocument } from "./reader/open_source";
import { indexIn } from "./sessions/history";
import { KeptRatings } from "./sessions/kept_ratings";
import { type Addressee, Outbox } from "./sessions/outbox";
import { type Context, type Place, questionFrame, storeOf } from "./sessions/question";
import { AWAY, Recall, type Recalling } from "./sessions/recall";
import { SessionList } from "./sessions/session_list";
import { type News, SharedSession } from "./sessions/shared_session";
import { type Turn, type TurnListener, Turns } from "./sessions/turns";
import { readConfig } from "./widget_config";
import type { AcceptedFrame, ElementFrame, ErrorFrame, WidgetConfig } from "./wire";

export type Wait = "connection" | "answer" | "nothing";

export interface ConversationListener extends TurnListener {
  connectionChanged(): void;
  /** The service told what the operator says of the chat. */
  configured(): void;
}

export class Conversation implements Addressee, Recalling {
  readonly turns = new Turns();
  context: Context = {};
  /** What the operator says of the chat; nothing until the service told it. */
  config: WidgetConfig = {};
  connectionState: ConnectionState = "connecting";
  closeCode: number | undefined;
  private listener: ConversationListener | undefined;
  /** "" where it has not begun. */
  sessionName = "";
  /** Where the session is shared; nothing for a token that does not tell whose it is. */
  shared: SharedSession | undefined;
  private ratings: KeptRatings | undefined;
  private language: string | undefined;
  private subject: string | undefined;
  /** Whether the session of another tab may become that of this one, which has none. */
  private mayJoin = true;
  private readonly outbox = new Outbox(this.turns, this);
  private readonly connection: Connection;
  private readonly recall: Recall;

  constructor(
    private readonly place: Place,
    private readonly tokenProvider: () => TokenProvider | undefined,
  ) {
    this.connection = new Connection(
      place.socket,
      {
        identified: (subject) => this.identified(subject),
        connectionChanged: (state, code) => this.connectionChanged(state, code),
        accepted: (frame) => this.accepted(frame),
        element: (frame) => this.element(frame),
        refused: (frame) => this.refused(frame),
      },
      tokenProvider,
    );
    this.recall = new Recall(this.connection, this.turns, this);
  }

  /** Read what the operator says of the chat in this language of BCP 47, unless it is read. */
  speak(language: string): void {
    if (language === this.language) return;
    this.language = language;
    void readConfig(this.connection, this.store, language).then((config = {}) => {
      // Of two languages that are asked for in a row, the first may be told last.
      if (language !== this.language) return;
      this.config = config;
      this.listener?.configured();
    });
  }

  /** Tell one listener from now on what changes; what is there already it reads. */
  listen(listener: ConversationListener): void {
    this.listener = this.turns.listener = listener;
  }

  /** Show a document where it says `quote`; call it while a click is handled. */
  openDocument(document: string, quote: string): Promise<boolean> {
    return openDocument(document, quote, this.connection, this.place.socket);
  }

  get isAnswering(): boolean {
    return this.turns.running.length > 0;
  }

  /** Whether the session has turns before those that are here. */
  get hasEarlier(): boolean {
    return this.recall.hasEarlier;
  }

  /** What has to be there before `turn` is answered. */
  waitsFor(turn: Turn): Wait {
    if (turn.answer.state === "QUEUED" && this.connectionState !== "ready") return "connection";
    return this.turns.running.indexOf(turn) > 0 ? "answer" : "nothing";
  }

  /** Ask as soon as there is a connection. */
  ask(text: string): Turn {
    const turn = this.turns.add({ id: newId(), query: text, answer: QUEUED });
    this.outbox.flush();
    return turn;
  }

  /** Take back a question that was not answered yet: one that was not sent is as never asked. */
  takeBack(turn: Turn): void {
    if (turn.answer.name) this.connection.cancel(turn.answer.name);
    if (turn.answer.state === "QUEUED") this.turns.remove(turn);
  }

  /** Stop what is being answered; the text so far stays. */
  stop(): void {
    for (const { answer } of this.turns.running.slice(0, 1)) this.connection.cancel(answer.name);
  }

  /** Connect once more after a refusal. */
  retry(): void {
    this.connection.retry();
  }

  /** Tell the service what a person thinks of an answer; return whether it took that. */
  async rate(turn: Turn, rating: Rating): Promise<boolean> {
    const { name } = turn.answer;
    const index = this.hasEarlier // not all turns are here
      ? await indexIn(this.connection, this.sessionName, name)
      : this.turns.names.indexOf(name);
    const event = feedbackEvent(this.sessionName, index, rating, this.connection.isKnown);
    const reply = await this.connection
      .request("POST", `/v1/${this.store}/userEvents:write`, event)
      .catch(() => undefined);
    if (reply?.status !== 200) return false;
    this.ratings?.keep(name, rating.isHelpful);
    return true;
  }

  startNew(): void {
    this.mayJoin = false;
    this.forget();
    if (this.shared) this.shared.name = "";
  }

  /** The sessions of who speaks; nothing where nobody says who that is. */
  get sessions(): SessionList | undefined {
    return this.tokenProvider() && new SessionList(this.connection, this.store);
  }

  /** Go on with another session. */
  openSession(name: string): void {
    if (name === this.sessionName) return;
    this.startNew();
    if (this.shared) this.shared.name = name;
    void this.join(name);
  }

  /** Show the turns before those that are here. */
  async readEarlier(): Promise<void> {
    if (this.hasEarlier && !this.recall.isReading) await this.recall.earlier();
  }

  close(): void {
    this.connection.close();
    this.shared?.close();
  }

  private get store(): string {
    return storeOf(this.place);
  }

  private connectionChanged(state: ConnectionState, code?: number): void {
    this.connectionState = state;
    this.closeCode = code;
    this.listener?.connectionChanged();
    if (state !== "ready") return;
    this.outbox.flush();
    if (this.turns.size) void this.recall.later();
  }

  get isReady(): boolean {
    return this.connectionState === "ready";
  }

  get canSend(): boolean {
    return this.isReady && !this.recall.isReading;
  }

  send(turn: Turn): void {
    this.turns.change(turn, { ...turn.answer, state: "SENT" });
    const { place, sessionName, context } = this;
    this.connection.ask(questionFrame(turn.id, turn.query, sessionName, place, context));
  }

  private accepted({ id, answer, session }: AcceptedFrame): void {
    const turn = this.turns.get(id);
    if (!turn) return; // of a session that was left meanwhile
    if (session) this.sessionName = session;
    if (session && this.shared) this.shared.name = session;
    this.outbox.settle();
    const isNew = !turn.answer.name;
    const state = turn.answer.state === "SENT" ? "IN_PROGRESS" : turn.answer.state;
    this.turns.change(turn, { ...turn.answer, state, name: answer });
    if (isNew && session) this.shared?.tell({ session, answer });
    this.recall.accepted(isNew);
  }

  private element(frame: ElementFrame): void {
    const turn = this.turns.get(frame.id);
    if (!turn) return;
    const answer = fold(turn.answer, frame);
    if (reasonOf(answer.error) === "CANCELLED" && !answer.steps.length) this.recall.withdrawn();
    this.turns.change(turn, answer);
  }

  private refused({ id, error }: ErrorFrame): void {
    const turn = id ? this.turns.get(id) : undefined;
    if (turn && error?.status === "NOT_FOUND" && this.sessionName && !turn.answer.name) {
      // The session was deleted elsewhere: the question opens another one.
      this.sessionName = "";
      this.mayJoin = false;
      this.turns.change(turn, QUEUED);
      this.outbox.flush();
    } else if (turn) {
      this.turns.change(turn, { ...turn.answer, state: "FAILED", error });
    }
    this.outbox.settle();
  }

  /** Begin with the session of who speaks now; that of somebody else is no more shown. */
  private identified(subject: string | undefined): void {
    if (this.shared && subject === this.subject) return;
    if (this.subject !== undefined) this.forget();
    this.subject = subject;
    this.shared = this.shared?.close();
    this.ratings = undefined;
    if (subject === undefined) return;
    const key = `colloquy:${this.place.socket}:${this.store}:${subject}`;
    this.ratings = new KeptRatings(`${key}:ratings`);
    this.shared = new SharedSession(key, (news) => this.heard(news));
    if (this.shared.name) void this.join(this.shared.name);
  }

  private forget(): void {
    this.sessionName = "";
    this.connection.forgetAll();
    this.recall.forget();
    this.turns.clear();
    this.outbox.settle();
  }

  async takeOver(name: string): Promise<void> {
    if (this.mayJoin) await this.join(name);
  }

  /** Go on with a session that is there: after a reload, or in another tab. */
  private async join(name: string): Promise<void> {
    this.sessionName = name;
    const read = await this.recall.earlier();
    if (this.sessionName !== name) return;
    if (read === "away") {
      setTimeout(() => this.sessionName === name && void this.join(name), AWAY);
    } else if (read === "gone") {
      this.sessionName = "";
      if (this.shared?.name === name) this.shared.name = "";
    }
    this.outbox.flush();
  }

  /** Another tab of the same person asked. */
  private heard({ session }: News): void {
    if (!this.sessionName && this.mayJoin && !this.outbox.isOpening) void this.join(session);
    else if (session === this.sessionName) void this.recall.later();
  }

  /** What the person said of the answer of this name before the page was loaded. */
  ratingOf(answer: string): Rating | undefined {
    const isHelpful = this.ratings?.of(answer);
    return isHelpful === undefined ? undefined : keptRating(isHelpful);
  }
}
