/** The WebSocket: comes back, asks again what was not accepted, and resumes what was. */

import { hasEnded } from "../answer_state";
import type { AcceptedFrame, ClientFrame, ElementFrame, ErrorFrame, ServiceFrame } from "../wire";
import { Calls, type Method, type Response } from "./calls";
import { Liveness } from "./liveness";
import { subjectOf, type TokenProvider } from "./tokens";

const PROTOCOL = "colloquy.v1";
/** Milliseconds before each attempt to come back; the last one repeats. */
const PAUSES = [300, 700, 1500, 3000, 6000, 10000];
/** Milliseconds until there is a token, and until a connection stands. */
const TOKEN = 30_000;
const OPENING = 15_000;
/** Tokens refused one after the other: more would be refused, too. */
const REFUSALS = 3;
/** Close codes: a message too big, a missing or ended token, a slow client, too much asked. */
const TOO_BIG = 1009;
const UNAUTHENTICATED = 4401;
const AUTHENTICATION_TIMEOUT = 4408;
/** Lost without a close frame. */
const ABNORMAL = 1006;
const FIRST_OF_OURS = 4400;
const COMES_BACK = [UNAUTHENTICATED, AUTHENTICATION_TIMEOUT, 4409, 4429];

export type ConnectionState = "connecting" | "ready" | "lost" | "offline" | "refused";

export interface Listener {
  /** Who speaks from now on, as `subjectOf` tells it; said before a connection is ready. */
  identified(subject: string | undefined): void;
  connectionChanged(state: ConnectionState, code?: number): void;
  accepted(frame: AcceptedFrame): void;
  element(frame: ElementFrame): void;
  refused(frame: ErrorFrame): void;
}

/** A question that is not accepted yet, or an answer that is followed. */
type Work = { frame: ClientFrame } | { answer: string; position?: string | undefined };

export class Connection {
  private readonly calls = new Calls((frame) => this.send(frame));
  private readonly liveness = new Liveness(
    () => this.send({ type: "ping" }),
    () => this.drop(),
  );
  private readonly work = new Map<string, Work>();
  private socket: WebSocket | undefined;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private renewal: ReturnType<typeof setTimeout> | undefined;
  /** The first one stays: it makes what is asked again the same question. */
  private client: string | undefined;
  /** Whether the service knows by a token who speaks: one without keys reads none. */
  isKnown = false;
  private failures = 0;
  private refusals = 0;
  private pause: number | undefined;
  private isReady = false;
  private isClosed = false;
  /** For the listeners of events of the browser. */
  private readonly ends = new AbortController();

  constructor(
    private readonly url: string,
    private readonly listener: Listener,
    private readonly tokenProvider: () => TokenProvider | undefined,
  ) {
    const { signal } = this.ends;
    addEventListener("online", () => this.networkChanged(), { signal });
    addEventListener("offline", () => this.networkChanged(), { signal });
    // The page was frozen, or in another tab, or comes back by the browser's button Back.
    addEventListener("pageshow", ({ persisted }) => persisted && this.wake(), { signal });
    document.addEventListener("resume", () => this.wake(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden || this.wake(), { signal });
    void this.connect();
  }

  /** Ask, now or as soon as there is a connection. */
  ask(frame: ClientFrame & { id: string }): void {
    this.work.set(frame.id, { frame });
    if (this.send(frame)) this.liveness.check();
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
    return this.calls.add(method, path, body);
  }

  /** Hear no more of what runs; it goes on at the service. */
  forgetAll(): void {
    this.work.clear();
  }

  /** Try once more after a refusal: what was wrong may be mended. */
  retry(): void {
    this.refusals = 0;
    if (!this.isReady) void this.connect();
  }

  close(): void {
    this.isClosed = true;
    this.calls.failAll();
    clearTimeout(this.timer);
    clearTimeout(this.renewal);
    this.liveness.end();
    this.ends.abort();
    this.socket?.close(1000);
  }

  private async connect(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isReady = false;
    this.listener.connectionChanged(navigator.onLine ? "connecting" : "offline");
    this.liveness.begin(TOKEN);
    const attempt = ++this.attempt;
    let token: string | undefined;
    try {
      token = await this.tokenProvider()?.(); // before there is a socket: it waits 5 s only
    } catch {
      if (attempt === this.attempt) this.lost(ABNORMAL);
      return;
    }
    if (attempt !== this.attempt || this.isClosed) return;
    this.listener.identified(subjectOf(token));
    this.liveness.begin(OPENING);
    const socket = new WebSocket(this.url, PROTOCOL);
    this.socket = socket;
    if (token !== undefined) socket.onopen = () => authenticate(socket, token);
    socket.onmessage = ({ data }) => {
      if (socket === this.socket) this.receive(JSON.parse(data) as ServiceFrame);
    };
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
    else {
      this.listener.connectionChanged(this.isReady ? "ready" : "connecting");
      this.liveness.check();
    }
  }

  /** Look at once whether the socket still stands; where it is known to be lost, come back. */
  private wake(): void {
    if (this.timer) void this.connect();
    else if (this.isReady) this.liveness.check();
  }

  /** Leave a socket that is dead; to close it in order would take the service. */
  private drop(): void {
    const { socket } = this;
    this.socket = undefined;
    socket?.close();
    this.lost(ABNORMAL);
  }

  private lost(code: number): void {
    if (!this.isReady && code === UNAUTHENTICATED) this.refusals += 1;
    this.isReady = false;
    this.calls.lost();
    this.liveness.end();
    clearTimeout(this.renewal);
    if (this.isClosed) return;
    const isHopeless = this.tokenProvider()
      ? this.refusals >= REFUSALS
      : [UNAUTHENTICATED, AUTHENTICATION_TIMEOUT].includes(code); // it waits for a token in vain
    const isFinal = code === TOO_BIG || (code >= FIRST_OF_OURS && !COMES_BACK.includes(code));
    if (isFinal || isHopeless) {
      this.calls.failAll();
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
    this.liveness.heard();
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
      case "response":
        this.calls.respond(frame);
        break;
      case "error":
        if (this.calls.refuse(frame)) break;
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
    this.isKnown = expiresIn !== undefined;
    this.renewBefore(expiresIn);
    if (this.isReady) return; // a renewal: everything goes on
    this.isReady = true;
    this.client ??= client;
    this.failures = 0;
    this.listener.connectionChanged("ready");
    for (const [id, work] of this.work) this.send("frame" in work ? work.frame : resume(id, work));
    this.calls.sendAll();
  }

  /** Return whether there is a connection to send on. */
  private send(frame: ClientFrame): boolean {
    if (!this.isReady) return false;
    const said = frame.type === "answer" ? { ...frame, client: this.client } : frame;
    this.socket?.send(JSON.stringify(said));
    return true;
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
