/** Reads the turns of a session that are not here: after a reload, further up, and from elsewhere. */

import { isRunning } from "../answer_state";
import type { Connection } from "../connection/connection";
import type { Rating } from "../feedback";
import { type Read, readSince, readTurns, type Window, WINDOW } from "./history";
import type { Turn, Turns } from "./turns";

/** Milliseconds before a session is asked for again that the service could not tell. */
export const AWAY = 3_000;

/** The session whose turns are read. */
export interface Recalling {
  /** "" where it has not begun. */
  readonly sessionName: string;
  /** Whether there is a connection to read on. */
  readonly isReady: boolean;
  /** What the person said of the answer of this name. */
  ratingOf(answer: string): Rating | undefined;
}

export class Recall {
  /** Whether the session has turns before those that are here. */
  hasEarlier = false;
  isReading = false;
  /** How many turns of the session's end are here. */
  private known = 0;
  /** Another tab asked while turns were read, or before this one's question had a name. */
  private isBehind = false;

  constructor(
    private readonly connection: Pick<Connection, "request" | "follow">,
    private readonly turns: Turns,
    private readonly of: Recalling,
  ) {}

  /** A question was accepted, of which nothing was known until then where it `isNew`. */
  accepted(isNew: boolean): void {
    if (isNew) this.known += 1;
    if (this.isBehind) void this.later();
  }

  /**
   * A question ended before anything was done about it: while it waited, as a rule, and then it is
   * no turn of the session. Where it is one it is read again, and known.
   */
  withdrawn(): void {
    this.known -= 1;
  }

  /** Read the last turns that are not here yet. */
  async earlier(): Promise<Read> {
    const { sessionName: session } = this.of;
    this.isReading = true;
    const read = await readTurns(this.connection, session, this.known);
    this.isReading = false;
    if (this.of.sessionName !== session || typeof read === "string") return read;
    this.known += read.count;
    this.hasEarlier = read.count === WINDOW;
    const earlier = this.unknown(read);
    this.turns.addBefore(earlier);
    this.follow(earlier);
    if (this.isBehind) void this.later();
    return read;
  }

  /** Read what was asked elsewhere since. */
  async later(): Promise<void> {
    const { sessionName: session } = this.of;
    this.isBehind = this.isReading;
    if (!session || this.isReading) return;
    const read = await readSince(this.connection, session, this.turns.names);
    if (this.of.sessionName !== session) return;
    if (typeof read === "string") {
      // Without a connection the next one catches up.
      if (read === "away" && this.of.isReady) setTimeout(() => void this.later(), AWAY);
      return;
    }
    this.isBehind = this.turns.isSending;
    if (this.isBehind) return;
    const missed = this.unknown(read).map((turn) => this.turns.add(turn));
    this.known += missed.length;
    this.follow(missed);
  }

  /** Begin with another session. */
  forget(): void {
    this.known = 0;
    this.hasEarlier = this.isBehind = false;
  }

  /** Return what was read and is not here yet, with what the person said of it. */
  private unknown(read: Window): Turn[] {
    return this.turns.unknown(read.turns).map((turn) => {
      const rating = this.of.ratingOf(turn.answer.name);
      return rating ? { ...turn, rating } : turn;
    });
  }

  private follow(turns: readonly Turn[]): void {
    for (const { id, answer } of turns) {
      if (isRunning(answer.state)) this.connection.follow(id, answer.name);
    }
  }
}
