/**
 * `<colloquy-chat>`: ask a Colloquy service, watch the answer and its proof arrive.
 *
 * Attributes
 *   endpoint        WebSocket address; default: /v1/ws of the module's own origin
 *   serving-config  what to ask; default: the sample guide
 *   heading         title shown on top
 *   placeholder     hint in the empty field
 */

import type { TokenProvider } from "./connection";
import { styles } from "./styles";
import { en } from "./texts/en";
import { Panel } from "./views/panel";

const GUIDE =
  "projects/colloquy/locations/global/collections/default_collection/dataStores/guide" +
  "/servingConfigs/default_config";

export class ColloquyChat extends HTMLElement {
  /** Return a token of the user or visitor; asked for each connection, and before a token ends. */
  tokenProvider: TokenProvider | undefined;
  private panel: Panel | undefined;

  constructor() {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [styles];
  }

  connectedCallback(): void {
    const socket = new URL(this.getAttribute("endpoint") ?? "/v1/ws", import.meta.url);
    socket.protocol = socket.protocol.replace(/^http/, "ws");
    const place = {
      socket: socket.href,
      rest: new URL("/v1/", socket.href.replace(/^ws/, "http")).href,
      servingConfig: this.getAttribute("serving-config") ?? GUIDE,
    };
    const texts = {
      ...en,
      title: this.getAttribute("heading") ?? en.title,
      placeholder: this.getAttribute("placeholder") ?? en.placeholder,
    };
    this.panel = new Panel(texts, place, () => this.tokenProvider);
    this.shadowRoot?.replaceChildren(this.panel.node);
  }

  disconnectedCallback(): void {
    this.panel?.close();
    this.panel = undefined;
    this.shadowRoot?.replaceChildren();
  }
}
