/** The turns that the chat has, in their order, and who is told what changes of them. */

import { isRunning, type ShownAnswer } from "../answer_state";
import type { Turn, TurnListener } from "../conversation";
import { newId } from "../dom";
import type { PastTurn } from "./history";

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
    const known = new Set(this.where(() => true).map(({ answer }) => answer.name));
    return read.filter(({ answer }) => !known.has(answer.name)).map((turn) => ({ id: newId(), ...turn }));
  }

  private where(claim: (answer: ShownAnswer) => boolean): Turn[] {
    return [...this.all.values()].filter(({ answer }) => claim(answer));
  }
}
