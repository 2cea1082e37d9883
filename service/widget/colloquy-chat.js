/**
 * <colloquy-chat>: ask a Colloquy service, watch the answer and its proof arrive.
 *
 * Attributes
 *   endpoint        WebSocket address; default: /v1/ws of the module's own origin
 *   serving-config  what to ask; default: the sample guide
 *   heading         title shown on top
 *   placeholder     hint in the empty field
 *
 * Properties
 *   tokenProvider   async function that returns a token of the user or visitor, where the service
 *                   asks who speaks; it is called for each connection and before a token ends
 *
 * One ES module, no dependencies. Nothing that comes from the service is ever read as markup:
 * text enters the page as text nodes, links only with http, https or mailto.
 */

const GUIDE =
  "projects/colloquy/locations/global/collections/default_collection/dataStores/guide" +
  "/servingConfigs/default_config";
const PROTOCOL = "colloquy.v1";
const RUNNING = new Set(["IN_PROGRESS", "STREAMING"]);
const LABELS = {
  WAITING: "Sending…",
  IN_PROGRESS: "In progress",
  STREAMING: "Streaming",
  SUCCEEDED: "Succeeded",
  FAILED: "Failed",
};
const REFUSALS = 3; // tokens refused one after the other: more would be refused, too
const PAUSES = [300, 700, 1500, 3000, 6000, 10000];

/* ------------------------------------------------------------------ what is known of an answer */

/** Fold one element of the stream into what is shown (the laws of the element stream). */
export function fold(shown, element) {
  const told = element.response?.answer ?? {};
  const base = element.reset ? { ...shown, ...empty() } : shown;
  const state = told.state ?? base.state;
  const next = { ...base, state, position: element.position ?? base.position };
  if (told.name) next.name = told.name;
  if (state === "SUCCEEDED" || state === "FAILED") {
    return {
      ...next,
      text: told.answerText ?? "",
      citations: told.citations ?? [],
      references: told.references ?? [],
      steps: told.steps ?? [],
      related: told.relatedQuestions ?? [],
      score: told.groundingScore,
      skipped: told.answerSkippedReasons ?? [],
      problem: element.error?.message,
      reason: reasonOf(element.error),
    };
  }
  next.text = (next.text ?? "") + (told.answerText ?? "");
  if (told.citations) next.citations = [...next.citations, ...told.citations];
  if (told.references) next.references = told.references;
  if (told.steps) next.steps = told.steps;
  if (told.relatedQuestions) next.related = told.relatedQuestions;
  return next;
}

function empty() {
  return { text: "", citations: [], references: [], steps: [], related: [], skipped: [] };
}

function reasonOf(status) {
  return status?.details?.find((detail) => detail.reason)?.reason;
}

/** Cut text at the byte offsets of its citations: [{text, sources}], in order. */
export function segments(text, citations) {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const cut = (from, to) => decoder.decode(bytes.subarray(from, to));
  const parts = [];
  let at = 0;
  for (const citation of citations) {
    const end = Number(citation.endIndex ?? 0);
    if (end <= at || end > bytes.length) continue;
    parts.push({
      text: cut(at, end),
      sources: (citation.sources ?? []).map((source) => Number(source.referenceId ?? 0)),
    });
    at = end;
  }
  if (at < bytes.length) parts.push({ text: cut(at, bytes.length), sources: [] });
  return parts;
}

/** What a reference shows: title, address and the passages used. */
export function source(reference) {
  const info =
    reference.unstructuredDocumentInfo ?? reference.structuredDocumentInfo ?? reference.chunkInfo;
  const meta = info?.documentMetadata ?? info ?? {};
  const passages = info?.chunkContents?.map((chunk) => chunk.content) ?? [];
  if (info?.content) passages.push(info.content);
  const page = info?.chunkContents?.[0]?.pageIdentifier ?? meta.pageIdentifier;
  return { title: meta.title || meta.document || "Source", uri: meta.uri ?? "", passages, page };
}

/** Where the passages say a statement: it, or its longest line without the mark of a list. */
export function place(passages, statement) {
  const lines = statement.split("\n").map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim());
  for (const wanted of [statement.trim(), ...lines.sort((a, b) => b.length - a.length)]) {
    const passage = wanted && passages.find((text) => text.includes(wanted));
    if (passage) {
      const at = passage.indexOf(wanted);
      return { passage, at, end: at + wanted.length };
    }
  }
  return { passage: passages[0] ?? "", at: 0, end: 0 };
}

/** Make up an id; `crypto.randomUUID` is there in secure contexts only. */
function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

function safeLink(uri) {
  try {
    const url = new URL(uri);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : "";
  } catch {
    return "";
  }
}

/* --------------------------------------------------------------------------------- the socket */

/** One connection that comes back, asks again what was not accepted, and resumes what was. */
class Line {
  constructor(url, listener) {
    this.url = url;
    this.listener = listener;
    this.open = new Map(); // id -> {frame} not yet accepted, or {answer, position} running
    this.failures = 0;
    this.refusals = 0; // of tokens, since the service was ready
    this.wanted = true;
    this.connect();
    this.online = () => this.hurry();
    addEventListener("online", this.online);
  }

  async connect() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.listener.connection("connecting");
    this.isReady = false;
    const attempt = (this.attempt = {});
    let token;
    try {
      token = await this.listener.tokenProvider?.(); // before there is a socket: it waits 5 s only
    } catch {
      if (attempt === this.attempt) this.lost(1006);
      return;
    }
    if (attempt !== this.attempt || !this.wanted) return;
    const socket = new WebSocket(this.url, PROTOCOL);
    this.socket = socket;
    if (token !== undefined) socket.onopen = () => authenticate(socket, token);
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (socket === this.socket) this.lost(code);
    };
  }

  /** Send a new token while the one before still holds; where that fails, 4401 comes in time. */
  renewBefore(seconds) {
    clearTimeout(this.renewal);
    if (!seconds || !this.listener.tokenProvider) return;
    const socket = this.socket;
    const renew = async () => {
      const token = await this.listener.tokenProvider();
      if (socket.readyState === WebSocket.OPEN) authenticate(socket, token);
    };
    this.renewal = setTimeout(() => renew().catch(() => {}), seconds * (700 + Math.random() * 150));
  }

  hurry() {
    if (this.timer) this.connect();
  }

  lost(code) {
    if (!this.isReady && code === 4401) this.refusals += 1;
    this.isReady = false;
    clearTimeout(this.renewal);
    if (!this.wanted) return;
    const hopeless = this.listener.tokenProvider
      ? this.refusals >= REFUSALS
      : [4401, 4408].includes(code); // it waits for a token that nobody gives
    const final = code === 1009 || (code >= 4400 && ![4401, 4408, 4409, 4429].includes(code));
    if (final || hopeless) {
      this.listener.connection("refused", code);
      return;
    }
    const pause = this.pause ?? PAUSES[Math.min(this.failures, PAUSES.length - 1)];
    this.pause = undefined;
    this.failures += 1;
    this.listener.connection("lost");
    this.timer = setTimeout(() => this.connect(), pause * (0.7 + Math.random() * 0.6));
  }

  receive(frame) {
    switch (frame.type) {
      case "ready":
        this.refusals = 0;
        this.renewBefore(frame.expiresIn);
        if (this.isReady) break; // a renewal: everything goes on
        this.isReady = true;
        this.client ??= frame.client; // the first one stays: it makes what is asked again the same
        this.failures = 0;
        this.listener.connection("ready");
        for (const [id, work] of this.open) this.send(work.frame ?? resume(id, work));
        break;
      case "accepted":
        if (this.open.has(frame.id)) this.open.set(frame.id, { answer: frame.answer });
        this.listener.accepted(frame);
        break;
      case "element": {
        const work = this.open.get(frame.id);
        if (work) work.position = frame.position;
        const state = frame.response?.answer?.state;
        if (state === "SUCCEEDED" || state === "FAILED") this.open.delete(frame.id);
        this.listener.element(frame);
        break;
      }
      case "error":
        if (frame.id) this.open.delete(frame.id);
        this.listener.refused(frame);
        break;
      case "goaway":
        this.pause = Math.max(Number(frame.retryAfter ?? 0) * 1000, 200);
        break;
    }
  }

  send(frame) {
    if (!this.isReady) return;
    const said = frame.type === "answer" ? { ...frame, client: this.client } : frame;
    this.socket.send(JSON.stringify(said));
  }

  ask(frame) {
    this.open.set(frame.id, { frame });
    this.send(frame);
  }

  follow(id, answer) {
    this.open.set(id, { answer });
    this.send(resume(id, { answer }));
  }

  close() {
    this.wanted = false;
    clearTimeout(this.timer);
    clearTimeout(this.renewal);
    removeEventListener("online", this.online);
    this.socket?.close(1000);
  }
}

function authenticate(socket, token) {
  socket.send(JSON.stringify({ type: "auth", token }));
}

function resume(id, work) {
  const frame = { type: "resume", id, answer: work.answer };
  if (work.position) frame.after = work.position;
  return frame;
}

/* -------------------------------------------------------------------------------- the element */

function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-") || name === "role" || name === "part") {
      node.setAttribute(name, value);
    } else {
      node[name] = value;
    }
  }
  node.append(...children);
  return node;
}

const styles = new CSSStyleSheet();
styles.replaceSync(`
:host {
  --ink: #17202b; --soft: #5a6675; --paper: #ffffff; --shade: #f2f5f8; --line: #d5dde6;
  --accent: #0b5fad; --accent-ink: #ffffff; --good: #1b6e3c; --bad: #a3261b;
  display: flex; flex-direction: column; min-height: 0; height: 100%;
  font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
}
@media (prefers-color-scheme: dark) {
  :host {
    --ink: #e8edf3; --soft: #a5b1bf; --paper: #11161c; --shade: #1b232c; --line: #34404d;
    --accent: #7ab8f5; --accent-ink: #0b1620; --good: #7fd6a0; --bad: #ff9d93;
  }
}
* { box-sizing: border-box; }
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; border: 1px solid var(--line); border-radius: 8px; background: var(--paper);
  padding: 6px 12px; min-height: 40px; }
button:disabled { opacity: .5; cursor: default; }
button:focus-visible, textarea:focus-visible, a:focus-visible, summary:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 1px; }
header { display: flex; gap: 12px; align-items: center; padding: 10px 16px;
  border-bottom: 1px solid var(--line); }
h1 { font-size: 1.1rem; margin: 0; flex: 1; }
.connection { font-size: .85rem; color: var(--soft); }
.connection[data-state="lost"], .connection[data-state="refused"] { color: var(--bad); }
main { flex: 1; overflow-y: auto; padding: 16px; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { main { scroll-behavior: auto; } }
ol.turns { list-style: none; margin: 0 auto; padding: 0; max-width: 46rem; }
.query { margin: 20px 0 8px auto; width: fit-content; max-width: 85%; padding: 8px 14px;
  border-radius: 14px 14px 2px 14px; background: var(--accent); color: var(--accent-ink);
  white-space: pre-wrap; overflow-wrap: anywhere; }
article { padding: 12px 14px; border-radius: 2px 14px 14px 14px; background: var(--shade); }
.state { font-size: .8rem; font-weight: 600; color: var(--soft); }
.state[data-state="SUCCEEDED"] { color: var(--good); }
.state[data-state="FAILED"] { color: var(--bad); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: 6px 0; }
.problem { color: var(--bad); margin: 6px 0; }
.cite { min-height: 0; padding: 0 6px; margin: 0 1px 0 3px; border-radius: 6px; font-size: .75rem;
  line-height: 1.4; vertical-align: 2px; color: var(--accent); }
details { font-size: .9rem; color: var(--soft); margin: 4px 0; }
summary { cursor: pointer; }
.references { margin: 10px 0 0; padding: 8px 0 0 1.6em; border-top: 1px solid var(--line);
  font-size: .9rem; }
.references a { color: var(--accent); }
.related { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 10px; }
.related button { font-size: .9rem; text-align: left; }
.card { position: fixed; z-index: 5; max-width: min(26rem, calc(100vw - 24px)); max-height: 45vh;
  overflow: auto; padding: 10px 12px; border: 1px solid var(--line); border-radius: 10px;
  background: var(--paper); color: var(--ink); box-shadow: 0 6px 24px rgb(0 0 0 / .25);
  font-size: .9rem; }
.card[hidden] { display: none; }
.card b { display: block; }
.card p { margin: 6px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.card mark { background: var(--shade); color: inherit; font-weight: 600; }
form { display: flex; gap: 8px; align-items: flex-end; padding: 12px 16px;
  border-top: 1px solid var(--line); }
textarea { flex: 1; min-width: 0; resize: none; min-height: 44px; max-height: 30vh; padding: 9px 12px;
  border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
form button[type="submit"] { background: var(--accent); color: var(--accent-ink); border: 0;
  min-height: 44px; }
.welcome { color: var(--soft); max-width: 46rem; margin: 10vh auto 0; text-align: center; }
`);

export class ColloquyChat extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [styles];
    this.turns = new Map(); // id -> {shown, view}
    this.session = "";
  }

  connectedCallback() {
    this.build();
    const here = new URL(this.getAttribute("endpoint") ?? "/v1/ws", import.meta.url);
    here.protocol = here.protocol.replace(/^http/, "ws");
    this.rest = new URL("/v1/", here.href.replace(/^ws/, "http"));
    this.serving = this.getAttribute("serving-config") ?? GUIDE;
    this.memory = `colloquy:${here.href}:${this.serving}`;
    this.line = new Line(here.href, this);
    this.recall();
  }

  disconnectedCallback() {
    this.line.close();
    this.turns.clear();
    this.shadowRoot.replaceChildren();
  }

  build() {
    this.status = make("span", { className: "connection", role: "status" });
    this.again = make("button", { type: "button", textContent: "New session" });
    this.again.onclick = () => this.startAnew();
    this.list = make("ol", { className: "turns", role: "log", "aria-label": "Answers" });
    this.welcome = make("p", {
      className: "welcome",
      textContent: "Ask a question. The answer comes with its sources.",
    });
    this.scroll = make("main", {}, this.welcome, this.list);
    this.field = make("textarea", {
      rows: 1,
      maxLength: 10000,
      placeholder: this.getAttribute("placeholder") ?? "Ask a question",
      "aria-label": "Your question",
    });
    this.go = make("button", { type: "submit", textContent: "Ask" });
    this.stop = make("button", { type: "button", textContent: "Stop", hidden: true });
    this.form = make("form", {}, this.field, this.stop, this.go);
    this.card = make("div", { className: "card", role: "tooltip", id: "card", hidden: true });
    this.card.onmouseleave = () => this.hideSource();
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.ask(this.field.value);
    };
    this.field.onkeydown = (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.form.requestSubmit();
      }
    };
    this.field.oninput = () => {
      this.field.rows = Math.min(this.field.value.split("\n").length, 6);
    };
    this.stop.onclick = () => this.cancel();
    this.shadowRoot.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hideSource();
    });
    const title = make("h1", { textContent: this.getAttribute("heading") ?? "Colloquy" });
    this.shadowRoot.replaceChildren(
      make("header", {}, title, this.status, this.again),
      this.scroll,
      this.form,
      this.card,
    );
  }

  /* -- what the person does -- */

  ask(text) {
    const query = text.trim();
    if (!query) return;
    this.field.value = "";
    this.field.rows = 1;
    const id = newId();
    this.show(id, query, { state: "WAITING", ...empty() });
    this.line.ask({
      type: "answer",
      id,
      servingConfig: this.serving,
      request: {
        query: { text: query },
        session: this.session || `${this.serving.split("/servingConfigs/")[0]}/sessions/-`,
        answerGenerationSpec: {
          includeCitations: true,
          ignoreAdversarialQuery: true,
          ignoreJailBreakingQuery: true,
        },
        groundingSpec: { includeGroundingSupports: true },
        relatedQuestionsSpec: { enable: true },
      },
    });
    this.toEnd(true);
  }

  cancel() {
    for (const { shown } of this.turns.values()) {
      if (RUNNING.has(shown.state) && shown.name) {
        this.line.send({ type: "cancel", answer: shown.name });
      }
    }
  }

  startAnew() {
    this.session = "";
    this.line.open.clear();
    this.turns.clear();
    this.list.replaceChildren();
    this.welcome.hidden = false;
    this.keep();
    this.refresh();
    this.field.focus();
  }

  /* -- what the service says -- */

  connection(state, code) {
    const words = {
      connecting: "Connecting…",
      ready: "Connected",
      lost: "Connection lost, coming back…",
      refused: `The service refused the connection (${code})`,
    };
    this.status.textContent = words[state];
    this.status.dataset.state = state;
  }

  accepted({ id, answer, session }) {
    const turn = this.turns.get(id);
    if (session) this.session = session;
    this.keep();
    if (turn) {
      const state = turn.shown.state === "WAITING" ? "IN_PROGRESS" : turn.shown.state;
      this.update(id, { ...turn.shown, state, name: answer });
    }
  }

  element(frame) {
    const turn = this.turns.get(frame.id);
    if (turn) this.update(frame.id, fold(turn.shown, frame));
  }

  refused({ id, error }) {
    const turn = id && this.turns.get(id);
    if (turn) this.update(id, { ...turn.shown, state: "FAILED", problem: error?.message });
    else this.status.textContent = error?.message ?? "The service refused a request";
  }

  /* -- what survives a reload -- */

  keep() {
    try {
      if (this.session) localStorage.setItem(this.memory, this.session);
      else localStorage.removeItem(this.memory);
    } catch {
      /* A page without storage starts a new session after each reload. */
    }
  }

  /** Ask over REST, as who speaks on the socket. */
  async fetch(url) {
    const token = await this.tokenProvider?.();
    return fetch(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
  }

  async recall() {
    let kept = "";
    try {
      kept = localStorage.getItem(this.memory) ?? "";
    } catch {
      return;
    }
    if (!kept) return;
    const url = new URL(`${kept}?includeAnswerDetails=true`, this.rest);
    const reply = await this.fetch(url).catch(() => null);
    if (!reply) return;
    if (!reply.ok) {
      if (reply.status === 404) localStorage.removeItem(this.memory);
      return;
    }
    const session = await reply.json();
    if (this.session) return;
    this.session = kept;
    for (const turn of session.turns ?? []) this.recallTurn(turn);
    this.toEnd(true);
  }

  recallTurn(turn) {
    const id = newId();
    const answer = turn.detailedAnswer ?? {};
    const running = RUNNING.has(answer.state);
    const shown = { name: turn.answer, state: answer.state ?? "FAILED", ...empty() };
    this.show(id, turn.query?.text ?? "", running ? shown : fold(shown, { response: { answer } }));
    if (running) this.line.follow(id, turn.answer);
  }

  /* -- what the person sees -- */

  show(id, query, shown) {
    const article = make("article", { "aria-label": "Answer" });
    const item = make("li", {}, make("div", { className: "query", textContent: query }), article);
    this.list.append(item);
    this.welcome.hidden = true;
    this.turns.set(id, { shown, article });
    this.update(id, shown);
  }

  update(id, shown) {
    const turn = this.turns.get(id);
    turn.shown = shown;
    turn.pending ??= requestAnimationFrame(() => {
      turn.pending = undefined;
      this.paint(turn);
    });
    this.refresh();
  }

  refresh() {
    const running = [...this.turns.values()].some(({ shown }) => RUNNING.has(shown.state));
    this.stop.hidden = !running;
  }

  paint({ article, shown }) {
    const near = this.scroll.scrollHeight - this.scroll.scrollTop - this.scroll.clientHeight < 80;
    const wasOpen = article.querySelector("details")?.open ?? false;
    article.setAttribute("aria-busy", String(RUNNING.has(shown.state)));
    article.dataset.state = shown.state;
    const state = make("div", { className: "state", textContent: this.stateText(shown) });
    state.dataset.state = shown.state;
    const parts = [state];
    if (shown.steps.length) parts.push(this.stepsView(shown.steps, wasOpen));
    if (shown.text) parts.push(this.textView(shown));
    if (shown.problem) parts.push(make("p", { className: "problem", textContent: shown.problem }));
    if (shown.references.length) parts.push(this.referencesView(shown));
    if (shown.related.length) parts.push(this.relatedView(shown.related));
    const focused = this.shadowRoot.activeElement;
    const cited = focused?.classList.contains("cite") && article.contains(focused);
    const place = cited ? [...article.querySelectorAll(".cite")].indexOf(focused) : -1;
    article.replaceChildren(...parts);
    if (place >= 0) article.querySelectorAll(".cite")[place]?.focus();
    if (near) this.toEnd();
  }

  stateText({ state, skipped, reason, score }) {
    const label = LABELS[state] ?? state;
    if (skipped.length) return `${label}: ${skipped.join(", ")}`;
    if (reason) return `${label}: ${reason}`;
    if (state === "SUCCEEDED" && score !== undefined) {
      return `${label} · grounding ${Number(score).toFixed(2)}`;
    }
    return label;
  }

  stepsView(steps, open) {
    const list = make("ul");
    for (const step of steps) {
      const queries = (step.actions ?? []).map((action) => action.searchAction?.query).filter(Boolean);
      const found = (step.actions ?? []).flatMap((a) => a.observation?.searchResults ?? []).length;
      const text = [step.description, queries.map((q) => `“${q}”`).join(", "), found && `${found} found`];
      list.append(make("li", { textContent: text.filter(Boolean).join(" · ") }));
    }
    const title = `${steps.length} step${steps.length > 1 ? "s" : ""}`;
    return make("details", { open }, make("summary", { textContent: title }), list);
  }

  textView({ text, citations, references }) {
    const view = make("div", { className: "text", part: "text" });
    for (const part of segments(text, citations)) {
      view.append(part.text);
      for (const index of part.sources) {
        if (!references[index]) continue;
        const mark = make("button", {
          type: "button",
          className: "cite",
          textContent: String(index + 1),
          "aria-label": `Source ${index + 1}: ${source(references[index]).title}`,
          "aria-describedby": "card",
        });
        mark.onmouseenter = mark.onfocus = () => this.showSource(mark, references[index], part.text);
        mark.onmouseleave = (event) => {
          if (event.relatedTarget !== this.card) this.hideSource();
        };
        mark.onblur = () => this.hideSource();
        view.append(mark);
      }
    }
    return view;
  }

  referencesView({ references, citations, skipped }) {
    const used = new Set(
      skipped.length
        ? [...references.keys()].slice(0, 3)
        : citations.flatMap((c) => (c.sources ?? []).map((s) => Number(s.referenceId ?? 0))),
    );
    const heading = skipped.length ? "Search results" : "Sources";
    const list = make("ol", { className: "references", "aria-label": heading });
    references.forEach((reference, index) => {
      if (!used.has(index)) return;
      const { title, uri, page } = source(reference);
      const link = safeLink(uri);
      const text = page ? `${title} (page ${page})` : title;
      const name = link
        ? make("a", { href: link, target: "_blank", rel: "noopener noreferrer", textContent: text })
        : make("span", { textContent: text });
      list.append(make("li", { value: index + 1 }, name));
    });
    return list;
  }

  relatedView(questions) {
    const view = make("div", { className: "related", role: "group", "aria-label": "Related questions" });
    for (const question of questions) {
      const button = make("button", { type: "button", textContent: question });
      button.onclick = () => this.ask(question);
      view.append(button);
    }
    return view;
  }

  showSource(mark, reference, sentence) {
    const { title, uri, passages, page } = source(reference);
    const { passage, at, end } = place(passages, sentence);
    const from = Math.max(at - 120, 0);
    const to = end + 200;
    this.card.replaceChildren(
      make("b", { textContent: page ? `${title}, page ${page}` : title }),
      make("small", { textContent: uri }),
      make(
        "p",
        {},
        (from ? "…" : "") + passage.slice(from, at),
        make("mark", { textContent: passage.slice(at, end) }),
        passage.slice(end, to) + (passage.length > to ? "…" : ""),
      ),
    );
    this.card.hidden = false;
    this.card.scrollTop = 0;
    this.card.style.left = this.card.style.top = "0px"; // its size depends on its place
    const spot = mark.getBoundingClientRect();
    const size = this.card.getBoundingClientRect();
    const left = Math.min(Math.max(spot.left - 20, 12), innerWidth - size.width - 12);
    const above = spot.top - size.height - 6;
    this.card.style.left = `${left}px`;
    this.card.style.top = `${above > 8 ? above : spot.bottom + 4}px`;
  }

  hideSource() {
    this.card.hidden = true;
  }

  toEnd(always = false) {
    requestAnimationFrame(() => {
      if (always || this.isConnected) this.scroll.scrollTop = this.scroll.scrollHeight;
    });
  }
}

customElements.define("colloquy-chat", ColloquyChat);
