/** The sessions of who speaks, on whichever device they were begun. */

import type { Connection } from "../connection/connection";
import type { Session } from "../wire";
import { type PastTurn, readTurns } from "./history";

/** Sessions that are read at once, and the first turns of each, which are searched. */
const PAGE = 50;
const SEARCHED = 5;
/** Turns of an export that are read at once. */
const EXPORTED = 50;

export interface SessionPage {
  readonly sessions: Session[];
  /** What reads the next page; "" behind the last one. */
  readonly next: string;
}

export class SessionList {
  constructor(
    private readonly connection: Pick<Connection, "request">,
    private readonly store: string,
  ) {}

  /** Read a page, pinned ones first and those that were used last; nothing where it cannot be read. */
  async read(token: string): Promise<SessionPage | undefined> {
    const parameters = new URLSearchParams({
      pageSize: String(PAGE),
      turnLimit: String(SEARCHED),
      orderBy: "is_pinned desc,update_time desc",
      ...(token ? { pageToken: token } : {}),
    });
    const body = await this.call("GET", `${this.store}/sessions?${parameters}`);
    if (!body) return undefined;
    const { sessions = [], nextPageToken = "" } = body as { sessions?: Session[]; nextPageToken?: string };
    return { sessions, next: nextPageToken };
  }

  /** Return the session as it is then; nothing where that failed. */
  async change(name: string, change: { displayName: string } | { isPinned: boolean }): Promise<Session | undefined> {
    return this.call("PATCH", `${name}?updateMask=${Object.keys(change).join()}`, change);
  }

  /** Delete a session with its answers; return whether it is gone. */
  async remove(name: string): Promise<boolean> {
    return (await this.call("DELETE", name)) !== undefined;
  }

  /** Return all turns of a session, oldest first; nothing where they cannot be read. */
  async turns(name: string): Promise<PastTurn[] | undefined> {
    const turns: PastTurn[] = [];
    for (let known = 0; ; known += EXPORTED) {
      const read = await readTurns(this.connection, name, known, EXPORTED);
      if (typeof read === "string") return undefined;
      turns.unshift(...read.turns);
      if (read.count < EXPORTED) return turns;
    }
  }

  private async call<Body>(method: "GET" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<Body | undefined> {
    const reply = await this.connection.request(method, `/v1/${path}`, body).catch(() => undefined);
    return reply?.status === 200 ? (reply.body as Body) : undefined;
  }
}
