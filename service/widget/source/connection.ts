/** The WebSocket: comes back, asks again what was not accepted, and resumes what was. */

import { hasEnded } from "./answer_state";
import { newId } from "./dom";
import type { AcceptedFrame, ClientFrame, ElementFrame, ErrorFrame, ServiceFrame } from "./wire";

const PROTOCOL = "colloquy.v1";
/** Milliseconds before each attempt to come back; the last one repeats. */
const PAUSES = [300, 700, 1500, 3000, 6000, 10000];
/** Tokens refused one after the other: more would be refused, too. */
const REFUSALS = 3;
/** Close codes: a message too big, a missing or ended token, a slow client, too much asked. */
const TOO_BIG = 1009;
const UNAUTHENTICATED = 4401;
const AUTHENTICATION_TIMEOUT = 4408;
const FIRST_OF_OURS = 4400;
const COMES_BACK = [UNAUTHENTICATED, AUTHENTICATION_TIMEOUT, 4409, 4429];

export type ConnectionState = "connecting" | "ready" | "lost" | "offline" | "refused";
export type TokenProvider = () => Promise<string> | string;

export interface Listener {
  connectionChanged(state: ConnectionState, code?: number): void;
  accepted(frame: AcceptedFrame): void;
  element(frame: ElementFrame): void;
  refused(frame: ErrorFrame): void;
}

/** A question that is not accepted yet, or an answer that is followed. */
type Work = { frame: ClientFrame } | { answer: string; position?: string | undefined };

/** A method of the REST API that is called, and who waits for it. */
interface Call {
  frame: ClientFrame & { id: string; method: Method };
  isSent: boolean;
  resolve(response: Response): void;
  reject(error: Error): void;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What the REST API answered: its HTTP status and its JSON. */
export interface Response {
  status: number;
  body: unknown;
}

/** The connection was lost before the response: whether the method was carried out is not known. */
export class ConnectionLost extends Error {}

export class Connection {
  private readonly calls = new Map<string, Call>();
  private readonly work = new Map<string, Work>();
  private socket: WebSocket | undefined;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private renewal: ReturnType<typeof setTimeout> | undefined;
  /** The first one stays: it makes what is asked again the same question. */
  private client: string | undefined;
  private failures = 0;
  private refusals = 0;
  private pause: number | undefined;
  private isReady = false;
  private isClosed = false;
  private readonly onNetwork = () => this.networkChanged();

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
    private readonly tokenProvider: () => TokenProvider | undefined,
  ) {
    addEventListener("online", this.onNetwork);
    addEventListener("offline", this.onNetwork);
    void this.connect();
  }

  /** Ask, now or as soon as there is a connection. */
  ask(frame: ClientFrame & { id: string }): void {
    this.work.set(frame.id, { frame });
    this.send(frame);
  }

  /** Follow an answer from `position`, or from its beginning. */
  follow(id: string, answer: string, position?: string): void {
    const work = { answer, position };
    this.work.set(id, work);
    this.send(resume(id, work));
  }

  /** Stop the answer for everybody; the text so far stays. */
  cancel(answer: string): void {
    this.send({ type: "cancel", answer });
  }

  /**
   * Call a method of the REST API, now or as soon as there is a connection. `path` is that after
   * the origin: /v1/….
   *
   * What only reads is asked again on the next connection; anything else throws `ConnectionLost`.
   */
  request(method: Method, path: string, body?: unknown): Promise<Response> {
    const id = newId();
    const frame = { type: "request", id, method, path, ...(body === undefined ? {} : { body }) };
    return new Promise((resolve, reject) => {
      const call = { frame, isSent: false, resolve, reject };
      this.calls.set(id, call);
      this.sendCall(call);
    });
  }

  /** Hear no more of what runs; it goes on at the service. */
  forgetAll(): void {
    this.work.clear();
  }

  close(): void {
    this.isClosed = true;
    this.failCalls(() => true);
    clearTimeout(this.timer);
    clearTimeout(this.renewal);
    removeEventListener("online", this.onNetwork);
    removeEventListener("offline", this.onNetwork);
    this.socket?.close(1000);
  }

  private async connect(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isReady = false;
    this.listener.connectionChanged("connecting");
    const attempt = ++this.attempt;
    let token: string | undefined;
    try {
      token = await this.tokenProvider()?.(); // before there is a socket: it waits 5 s only
    } catch {
      if (attempt === this.attempt) this.lost(1006);
      return;
    }
    if (attempt !== this.attempt || this.isClosed) return;
    const socket = new WebSocket(this.url, PROTOCOL);
    this.socket = socket;
    if (token !== undefined) socket.onopen = () => authenticate(socket, token);
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data) as ServiceFrame);
    socket.onclose = ({ code }) => {
      if (socket === this.socket) this.lost(code);
    };
  }

  /** Send a new token while the one before still holds; where that fails, 4401 comes in time. */
  private renewBefore(seconds: number | undefined): void {
    clearTimeout(this.renewal);
    const provider = this.tokenProvider();
    const socket = this.socket;
    if (!seconds || !provider || !socket) return;
    const renew = async () => {
      const token = await provider();
      if (socket.readyState === WebSocket.OPEN) authenticate(socket, token);
    };
    this.renewal = setTimeout(() => renew().catch(() => {}), seconds * (700 + Math.random() * 150));
  }

  private networkChanged(): void {
    if (!navigator.onLine) this.listener.connectionChanged("offline");
    else if (this.timer) void this.connect();
    else this.listener.connectionChanged(this.isReady ? "ready" : "connecting");
  }

  private lost(code: number): void {
    if (!this.isReady && code === UNAUTHENTICATED) this.refusals += 1;
    this.isReady = false;
    this.failCalls(({ frame, isSent }) => isSent && frame.method !== "GET");
    clearTimeout(this.renewal);
    if (this.isClosed) return;
    const isHopeless = this.tokenProvider()
      ? this.refusals >= REFUSALS
      : [UNAUTHENTICATED, AUTHENTICATION_TIMEOUT].includes(code); // it waits for a token in vain
    const isFinal = code === TOO_BIG || (code >= FIRST_OF_OURS && !COMES_BACK.includes(code));
    if (isFinal || isHopeless) {
      this.failCalls(() => true);
      this.listener.connectionChanged("refused", code);
      return;
    }
    const pause = this.pause ?? PAUSES[Math.min(this.failures, PAUSES.length - 1)] ?? 10000;
    this.pause = undefined;
    this.failures += 1;
    this.listener.connectionChanged(navigator.onLine ? "lost" : "offline");
    this.timer = setTimeout(() => void this.connect(), pause * (0.7 + Math.random() * 0.6));
  }

  private receive(frame: ServiceFrame): void {
    switch (frame.type) {
      case "ready":
        this.ready(frame.client, frame.expiresIn);
        break;
      case "accepted":
        if (this.work.has(frame.id)) this.work.set(frame.id, { answer: frame.answer });
        this.listener.accepted(frame);
        break;
      case "element": {
        const work = this.work.get(frame.id);
        if (work && "answer" in work) work.position = frame.position;
        if (hasEnded(frame.response?.answer?.state)) this.work.delete(frame.id);
        this.listener.element(frame);
        break;
      }
      case "response": {
        const call = this.calls.get(frame.id);
        this.calls.delete(frame.id);
        call?.resolve({ status: frame.status, body: frame.body });
        break;
      }
      case "error":
        if (frame.id && this.calls.has(frame.id)) {
          this.calls.get(frame.id)?.reject(new Error(frame.error?.message));
          this.calls.delete(frame.id);
          break;
        }
        if (frame.id) this.work.delete(frame.id);
        this.listener.refused(frame);
        break;
      case "goaway":
        this.pause = Math.max(Number(frame.retryAfter ?? 0) * 1000, 200);
        break;
    }
  }

  private ready(client: string | undefined, expiresIn: number | undefined): void {
    this.refusals = 0;
    this.renewBefore(expiresIn);
    if (this.isReady) return; // a renewal: everything goes on
    this.isReady = true;
    this.client ??= client;
    this.failures = 0;
    this.listener.connectionChanged("ready");
    for (const [id, work] of this.work) this.send("frame" in work ? work.frame : resume(id, work));
    for (const call of this.calls.values()) this.sendCall(call);
  }

  private sendCall(call: Call): void {
    if (!this.isReady) return;
    call.isSent = true;
    this.send(call.frame);
  }

  private failCalls(isLost: (call: Call) => boolean): void {
    for (const [id, call] of this.calls) {
      if (!isLost(call)) continue;
      this.calls.delete(id);
      call.reject(new ConnectionLost());
    }
  }

  private send(frame: ClientFrame): void {
    if (!this.isReady) return;
    const said = frame.type === "answer" ? { ...frame, client: this.client } : frame;
    this.socket?.send(JSON.stringify(said));
  }
}

function authenticate(socket: WebSocket, token: string): void {
  socket.send(JSON.stringify({ type: "auth", token }));
}

function resume(id: string, work: { answer: string; position?: string | undefined }): ClientFrame {
  return {
    type: "resume",
    id,
    answer: work.answer,
    ...(work.position ? { after: work.position } : {}),
  };
}
