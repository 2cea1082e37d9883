/** The module that a page loads: it defines `<colloquy-chat>`. */

import { ColloquyChat } from "./element";

export { ColloquyChat };

customElements.define("colloquy-chat", ColloquyChat);
