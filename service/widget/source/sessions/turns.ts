/** The turns that the chat has, in their order, and who is told what changes of them. */

import { isRunning, type ShownAnswer } from "../answer_state";
import { newId } from "../dom";
import type { Rating } from "../feedback";
import type { PastTurn } from "./history";

export interface Turn {
  readonly id: string;
  readonly query: string;
  answer: ShownAnswer;
  /** What the person thinks of it, as far as that was said here. */
  rating?: Rating;
}

export interface TurnListener {
  turnAdded(turn: Turn): void;
  turnChanged(turn: Turn): void;
  /** Turns came that were before all others, oldest first. */
  earlierAdded(turns: readonly Turn[]): void;
  /** A question was taken back before it was sent. */
  turnRemoved(turn: Turn): void;
  /** All turns are gone: another session begins. */
  emptied(): void;
}

export class Turns {
  listener: TurnListener | undefined;
  private all = new Map<string, Turn>();

  get size(): number {
    return this.all.size;
  }

  get(id: string): Turn | undefined {
    return this.all.get(id);
  }

  values(): Iterable<Turn> {
    return this.all.values();
  }

  /** What was not sent yet. */
  get waiting(): Turn[] {
    return this.where(({ state }) => state === "QUEUED");
  }

  /** What is answered now, and what waits for that. */
  get running(): Turn[] {
    return this.where(({ state, name }) => isRunning(state) && name !== "");
  }

  /** The names of the answers that were accepted. */
  get names(): string[] {
    return this.where(({ name }) => name !== "").map(({ answer }) => answer.name);
  }

  get isSending(): boolean {
    return this.where(({ state }) => state === "SENT").length > 0;
  }

  add(turn: Turn): Turn {
    this.all.set(turn.id, turn);
    this.listener?.turnAdded(turn);
    return turn;
  }

  /** Add turns that were before all others. */
  addBefore(turns: readonly Turn[]): void {
    this.all = new Map([...turns.map((turn): [string, Turn] => [turn.id, turn]), ...this.all]);
    this.listener?.earlierAdded(turns);
  }

  change(turn: Turn, answer: ShownAnswer): void {
    turn.answer = answer;
    this.listener?.turnChanged(turn);
  }

  remove(turn: Turn): void {
    this.all.delete(turn.id);
    this.listener?.turnRemoved(turn);
  }

  clear(): void {
    this.all.clear();
    this.listener?.emptied();
  }

  /** Return what was read and is not here yet, as turns. */
  unknown(read: readonly PastTurn[]): Turn[] {
    const known = new Set(this.names);
    return read.filter(({ answer }) => !known.has(answer.name)).map((turn) => ({ id: newId(), ...turn }));
  }

  private where(claim: (answer: ShownAnswer) => boolean): Turn[] {
    return [...this.all.values()].filter(({ answer }) => claim(answer));
  }
}
