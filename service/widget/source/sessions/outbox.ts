/** Sends the questions that wait: the first one of a session alone, so that there is one session. */

import type { SharedSession } from "./shared_session";
import type { Turn, Turns } from "./turns";

/** The session that the questions are for. */
export interface Addressee {
  /** "" where it has not begun. */
  readonly sessionName: string;
  /** Whether a question may be sent now. */
  readonly canSend: boolean;
  readonly shared: SharedSession | undefined;
  /** Go on with a session that another tab began, if that may become the one of this tab. */
  takeOver(name: string): Promise<void>;
  send(turn: Turn): void;
}

export class Outbox {
  /** Told when the question that opens a session is accepted or refused. */
  private opened: (() => void) | undefined;

  constructor(
    private readonly turns: Turns,
    private readonly to: Addressee,
  ) {}

  /** Whether a session is being opened. */
  get isOpening(): boolean {
    return this.opened !== undefined;
  }

  /** Send what waits, where that is possible now. */
  flush(): void {
    const { waiting } = this.turns;
    if (!this.to.canSend || this.opened || !waiting.length) return;
    if (this.to.sessionName) {
      for (const turn of waiting) this.to.send(turn);
      return;
    }
    const opening = new Promise<void>((opened) => {
      this.opened = opened;
    });
    const open = (name: string) => this.open(name, opening);
    void (this.to.shared?.alone(open) ?? open("")).finally(() => {
      this.opened = undefined;
      this.flush();
    });
  }

  /** The question that opens a session was accepted, refused or given up. */
  settle(): void {
    this.opened?.();
  }

  private async open(name: string, opening: Promise<void>): Promise<void> {
    if (name && !this.to.sessionName) await this.to.takeOver(name);
    const [first] = this.turns.waiting;
    if (this.to.sessionName || !first) return;
    this.to.send(first);
    await opening;
  }
}
