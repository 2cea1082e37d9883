/** Methods of the REST API that are called over the socket, so that no other connection is needed. */

import { newId } from "../dom";
import type { ClientFrame, ErrorFrame, ResponseFrame } from "../wire";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What the REST API answered: its HTTP status and its JSON. */
export interface Response {
  status: number;
  body: unknown;
}

/** The connection was lost before the response: whether the method was carried out is not known. */
export class ConnectionLost extends Error {}

/** A method that is called, and who waits for it. */
interface Call {
  frame: ClientFrame & { id: string; method: Method };
  isSent: boolean;
  resolve(response: Response): void;
  reject(error: Error): void;
}

export class Calls {
  private readonly open = new Map<string, Call>();

  /** `send` returns whether it could. */
  constructor(private readonly send: (frame: ClientFrame) => boolean) {}

  add(method: Method, path: string, body: unknown): Promise<Response> {
    const id = newId();
    const frame = { type: "request", id, method, path, ...(body === undefined ? {} : { body }) };
    return new Promise((resolve, reject) => {
      const call = { frame, isSent: false, resolve, reject };
      this.open.set(id, call);
      call.isSent = this.send(frame);
    });
  }

  /** Send on a new connection what waits for a response. */
  sendAll(): void {
    for (const call of this.open.values()) call.isSent = this.send(call.frame) || call.isSent;
  }

  respond({ id, status, body }: ResponseFrame): void {
    this.open.get(id)?.resolve({ status, body });
    this.open.delete(id);
  }

  /** Return whether it was a call that was refused. */
  refuse({ id = "", error }: ErrorFrame): boolean {
    this.open.get(id)?.reject(new Error(error?.message));
    return this.open.delete(id);
  }

  /** Give up what may have been carried out: what only reads is asked again. */
  lost(): void {
    this.fail(({ frame, isSent }) => isSent && frame.method !== "GET");
  }

  failAll(): void {
    this.fail(() => true);
  }

  private fail(isLost: (call: Call) => boolean): void {
    for (const [id, call] of this.open) {
      if (!isLost(call)) continue;
      this.open.delete(id);
      call.reject(new ConnectionLost());
    }
  }
}
