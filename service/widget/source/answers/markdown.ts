/**
 * Markdown as nodes, block by block, so that a text that grows changes its last block only.
 *
 * The lexer is marked's; what it finds becomes nodes here and never HTML. Raw HTML is shown as the
 * text that it is, an image as a link, an address that is no http(s), mailto or tel as its text.
 */

import { getDefaults, Lexer, type MarkedOptions, type MarkedToken, type Token, type Tokens } from "marked";

import { make, outsideLink, safeLink } from "../dom";
import { calmed } from "./unfinished";

/** A tag, which may go over several lines. */
const TAG = /<\/?[a-zA-Z][\w:-]*(?:\s(?:[^<>"'\n]|\n(?!\s*\n)|"[^"\n]*"|'[^'\n]*')*)?>/.source;
/** Lines of raw HTML: each begins and ends with a tag. */
const MARKUP = new RegExp(`^(?: {0,3}${TAG}(?:[^\\n]*>)?[ \\t]*(?:\\n|$))+`);
const OPTIONS: MarkedOptions = {
  ...getDefaults(),
  breaks: true,
  extensions: {
    renderers: {},
    childTokens: {},
    startBlock: [(text) => text.match(/^ {0,3}<[a-zA-Z/]/m)?.index],
    block: [
      (text) => {
        const raw = MARKUP.exec(text)?.[0];
        return raw ? { type: "markup", raw } : undefined;
      },
    ],
  },
};
const ENTITIES: Record<string, string> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", ndash: "–", mdash: "—", hellip: "…",
};

export interface Block {
  /** Characters of the text, end exclusive; the end of one is the start of the next. */
  start: number;
  end: number;
  /** What is shown: two blocks of the same are the same. */
  shown: string;
  token: Token;
}

/** Makes the button that copies a text. */
export type CopyButton = (text: string) => HTMLElement;

/**
 * Cut a text into its blocks: paragraphs, lists, tables, code, headings, quotations.
 *
 * The last block of a text that grows is shown as it will probably read.
 */
export function blocksOf(text: string, grows = false): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (const token of lexed(text)) {
    const end = start + token.raw.length;
    if (isShown(token)) blocks.push({ start, end, shown: token.raw.trimEnd(), token });
    start = end;
  }
  const last = blocks.at(-1);
  if (grows && last && !text.endsWith("\n\n")) {
    const shown = calmed(last.token);
    const token = lexed(shown).find(isShown);
    blocks.pop();
    if (token) blocks.push({ ...last, shown: shown.trimEnd(), token });
  }
  return blocks;
}

function lexed(text: string): Token[] {
  // An option that is an object would be kept from one text to the next.
  return new Lexer({ ...OPTIONS }).lex(text);
}

/** Return the node of a block; `copyButton` makes the button beside code. */
export function blockNode(token: Token, copyButton: CopyButton): HTMLElement {
  const known = token as MarkedToken;
  switch (known.type) {
    case "heading":
      // The levels of the page around are not known: all are below the heading of an answer.
      return make("h4", {}, ...inline(known.tokens));
    case "list":
      return listNode(known, copyButton);
    case "table":
      return tableNode(known);
    case "code":
      return codeNode(known.text, copyButton);
    case "blockquote":
      return make("blockquote", {}, ...known.tokens.filter(isShown).map((each) => blockNode(each, copyButton)));
    case "hr":
      return make("hr");
    case "paragraph":
    case "text":
      return make("p", {}, ...inline(known.tokens ?? [known]));
    default:
      return codeNode(token.raw.trim(), copyButton); // raw HTML, as the text that it is
  }
}

function isShown(token: Token): boolean {
  return token.type !== "space" && token.type !== "def";
}

function listNode(list: Tokens.List, copyButton: CopyButton): HTMLElement {
  const node = list.ordered
    ? make("ol", { start: Number(list.start || 1) })
    : make("ul");
  for (const item of list.items) {
    const children: (Node | string)[] = [];
    for (const token of item.tokens.filter(isShown)) {
      if (token.type === "checkbox") children.push(item.checked ? "☑ " : "☐ ");
      else if (token.type === "text") children.push(...inline((token as Tokens.Text).tokens ?? [token]));
      else children.push(blockNode(token, copyButton));
    }
    node.append(make("li", {}, ...children));
  }
  return node;
}

function tableNode(table: Tokens.Table): HTMLElement {
  const cell = (tag: "th" | "td", { tokens, align }: Tokens.TableCell) => {
    const node = make(tag, {}, ...inline(tokens));
    if (align) node.style.textAlign = align;
    return node;
  };
  const head = make("thead", {}, make("tr", {}, ...table.header.map((each) => cell("th", each))));
  const body = make("tbody");
  for (const row of table.rows) body.append(make("tr", {}, ...row.map((each) => cell("td", each))));
  return make("div", { className: "table", tabIndex: 0, role: "group" }, make("table", {}, head, body));
}

function codeNode(text: string, copyButton: CopyButton): HTMLElement {
  const code = make("pre", { tabIndex: 0, dir: "ltr" }, make("code", { textContent: text }));
  return make("div", { className: "code" }, copyButton(text), code);
}

function inline(tokens: readonly Token[]): (Node | string)[] {
  return tokens.flatMap((token): (Node | string)[] => {
    const known = token as MarkedToken;
    switch (known.type) {
      case "strong":
        return [make("strong", {}, ...inline(known.tokens))];
      case "em":
        return [make("em", {}, ...inline(known.tokens))];
      case "del":
        return [make("del", {}, ...inline(known.tokens))];
      case "codespan":
        return [make("code", { textContent: known.text, dir: "ltr" })];
      case "br":
        return [make("br")];
      case "link":
        return linkNodes(known.href, inline(known.tokens), known.text);
      case "image":
        return linkNodes(known.href, [known.text || known.href], known.text);
      case "escape":
        return [known.text];
      case "text":
        return known.tokens ? inline(known.tokens) : [decoded(known.text)];
      default:
        return [token.raw];
    }
  });
}

/** A link says where it leads to, unless its text does. */
function linkNodes(uri: string, children: (Node | string)[], text: string): (Node | string)[] {
  const href = safeLink(uri);
  if (!href) return children;
  const host = new URL(href).host;
  const link = outsideLink(href, ...children);
  return host && !text.includes(host)
    ? [link, make("span", { className: "host", textContent: ` (${host})`, dir: "ltr" })]
    : [link];
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g, (all, decimal, hex, name) => {
    if (name) return ENTITIES[name] ?? all;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
