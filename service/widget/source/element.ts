/** The element itself: what a page sets, calls and hears of the chat. */

import { answerStyles } from "./answer_styles";
import { takeQuestion } from "./asked_link";
import type { TokenProvider } from "./connection/tokens";
import { Conversation } from "./conversation";
import { spokenRegion } from "./dom";
import type { ChatEvents, Tell } from "./events";
import type { Context, Place } from "./sessions/question";
import { styles } from "./styles";
import { type Language, languageFor } from "./texts/languages";
import type { Texts } from "./texts/texts";
import { Launcher } from "./views/launcher";
import { Panel } from "./views/panel";

/** Pixels that are more than the bars of a browser: a keyboard on the screen. */
const KEYBOARD = 100;
const GUIDE =
  "projects/colloquy/locations/global/collections/default_collection/dataStores/guide" +
  "/servingConfigs/default_config";

/**
 * Ask a Colloquy service, and watch the answer and its proof arrive.
 *
 * The element may be moved in the page, and its attributes may change: turns, connection and what
 * is being written stay.
 *
 * @tagname colloquy-chat
 * @attr {string} endpoint - WebSocket address; default: /v1/ws of the module's own origin
 * @attr {string} serving-config - what to ask; default: the sample guide
 * @attr {inline|launcher|page} form - where it stands, a bubble that opens it, or the whole window
 * @attr {end|start} position - the corner of the bubble
 * @attr {string} heading - the title on top
 * @attr {string} placeholder - the hint in the empty field
 * @attr {string} lang - the language of its words; default: that of the page, then of the browser
 * @fires ready - the service is there and takes questions
 * @fires question - a question was asked here
 * @fires answer - an answer ended
 * @fires citation-open - a source is shown
 * @fires feedback - a person judged an answer
 * @fires handover - a person wants to reach a person
 * @fires error - nothing more can be asked
 * @csspart panel - the chat
 * @csspart text - the text of an answer
 * @csspart source - the panel of a source
 * @csspart bubble - the button of a launcher
 * @csspart dialog - what the bubble opens
 */
export class ColloquyChat extends HTMLElement {
  static readonly observedAttributes = [
    "endpoint", "serving-config", "form", "heading", "placeholder", "lang",
  ];

  /** Return a token of the user or visitor; asked for each connection, and before a token ends. */
  // Declared alone: a field would take away what a page had set before this module was loaded.
  declare tokenProvider: TokenProvider | undefined;
  private conversation: Conversation | undefined;
  private panel: Panel | undefined;
  private launcher: Launcher | undefined;
  private context: Context = {};
  private ownTexts: Partial<Texts> = {};
  private readonly spoken = spokenRegion();

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [styles, answerStyles];
    const early = Object.getOwnPropertyDescriptor(this, "texts");
    if (early) {
      // Set before this module was loaded, it hides the accessors of the class.
      Reflect.deleteProperty(this, "texts");
      this.texts = early.value;
    }
  }

  connectedCallback(): void {
    if (!this.panel) this.build();
    addEventListener("hashchange", this.takeLinked);
    for (const change of ["resize", "scroll"]) visualViewport?.addEventListener(change, this.fit);
    this.takeLinked();
  }

  /** Ends when the page is done with it; one that is only moved is back by then. */
  disconnectedCallback(): void {
    removeEventListener("hashchange", this.takeLinked);
    for (const change of ["resize", "scroll"]) visualViewport?.removeEventListener(change, this.fit);
    setTimeout(() => {
      if (!this.isConnected) this.end();
    });
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.panel || before === now) return;
    const written = this.written();
    if (name === "endpoint" || name === "serving-config") this.end();
    if (this.isConnected) this.build(written);
  }

  /** Words of the page's own, instead of those of the language; each has its name in `Texts`. */
  get texts(): Partial<Texts> {
    return this.ownTexts;
  }

  set texts(texts: Partial<Texts>) {
    this.ownTexts = { ...texts };
    if (this.panel && this.isConnected) this.build();
  }

  /** Open the panel of a launcher; the other forms are always open. */
  open(): void {
    this.launcher?.open();
  }

  /** Close the panel of a launcher. */
  close(): void {
    this.launcher?.close();
  }

  /** Ask as the person would; opens the panel. */
  ask(text: string): void {
    const query = text.trim();
    if (!query) return;
    this.open();
    this.panel?.ask(query);
  }

  /** Say what is added to each question from now on; an empty object takes it back. */
  setContext(context: Context): void {
    this.context = { ...context };
    if (this.conversation) this.conversation.context = this.context;
  }

  /** Put the question of a link to this page into the field; the first chat of a page takes it. */
  private readonly takeLinked = (): void => {
    const question = takeQuestion();
    if (!question || !this.panel) return;
    this.panel.draft = question;
    this.open();
  };

  /** Tell the styles what a keyboard on the screen leaves of the window. */
  private readonly fit = (): void => {
    const { node } = this.launcher ?? this.panel ?? {};
    if (!node || !visualViewport) return;
    const { scale, height, offsetTop } = visualViewport;
    const isCovered = scale === 1 && innerHeight - height > KEYBOARD;
    node.style.setProperty("--_visible", isCovered ? `${height}px` : "");
    node.style.setProperty("--_top", isCovered ? `${offsetTop}px` : "");
  };

  /** Begin a new session; the old one stays with the service. */
  newSession(): void {
    this.conversation?.startNew();
  }

  /** Show the conversation as the attributes say; turns, connection, draft and focus stay as they are. */
  private build({ draft, isWriting } = this.written()): void {
    this.conversation ??= new Conversation(this.place(), () => this.tokenProvider);
    this.conversation.context = this.context;
    this.conversation.speak(this.languagesAsked()[0] ?? "en");
    const { code, direction, texts } = this.language();
    const wasOpen = this.launcher?.isOpen;
    const form = this.getAttribute("form");
    const tell: Tell = (name, detail) => this.tell(name, detail);
    this.panel = new Panel(this.conversation, texts, tell, form === "page");
    this.panel.draft = draft;
    this.launcher = form === "launcher" ? new Launcher(texts, this.panel.node) : undefined;
    const { node } = this.launcher ?? this.panel;
    for (const each of [node, this.spoken]) {
      each.lang = code;
      each.dir = direction;
    }
    // A region that was there before is the one that screen readers listen to.
    if (!this.spoken.isConnected) this.shadowRoot?.append(this.spoken);
    this.spoken.previousElementSibling?.remove();
    this.spoken.before(node);
    if (wasOpen) this.launcher?.open();
    if (isWriting) this.panel.write();
  }

  /** What is in the field, and whether a person is at it. */
  private written(): { draft: string; isWriting: boolean } {
    return { draft: this.panel?.draft ?? "", isWriting: this.panel?.isWriting ?? false };
  }

  private place(): Place {
    const socket = new URL(this.getAttribute("endpoint") ?? "/v1/ws", import.meta.url);
    socket.protocol = socket.protocol.replace(/^http/, "ws");
    return {
      socket: socket.href,
      servingConfig: this.getAttribute("serving-config") ?? GUIDE,
    };
  }

  private language(): Language {
    const language = languageFor(this.languagesAsked());
    const { texts } = language;
    const title = this.getAttribute("heading") ?? texts.title;
    const placeholder = this.getAttribute("placeholder") ?? texts.placeholder;
    return { ...language, texts: { ...texts, title, placeholder, ...this.ownTexts } };
  }

  private languagesAsked(): string[] {
    return [this.lang, document.documentElement.lang, ...navigator.languages].filter(Boolean);
  }

  private end(): void {
    this.conversation?.close();
    this.conversation = this.panel = this.launcher = undefined;
    this.shadowRoot?.replaceChildren();
  }

  private tell<Name extends keyof ChatEvents>(name: Name, detail: ChatEvents[Name]): void {
    if (name === "answer") this.launcher?.markUnread();
    const event = new CustomEvent(name, { detail });
    this.dispatchEvent(event);
  }
}
