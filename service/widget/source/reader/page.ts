/** The page that shows a document: /documents/{name}#token=…&quote=…. */

import { make, outsideLink, safeLink } from "../dom";
import { markQuote } from "./marking";
import { type ReaderTexts, readerTexts } from "./texts";

interface Layout {
  title?: string;
  uri?: string;
  documentLayout?: { blocks?: LayoutBlock[] };
}

interface LayoutBlock {
  textBlock?: { text?: string; type?: string };
  pageSpan?: { pageStart?: number };
}

async function show(): Promise<void> {
  const texts = readerTexts();
  const main = document.querySelector("main") as HTMLElement;
  const given = new URLSearchParams(location.hash.slice(1));
  // Nobody who copies the address copies what it is opened with.
  history.replaceState(null, "", location.pathname);
  const name = location.pathname.slice("/documents/".length);
  const token = given.get("token");
  const reply = await fetch(`/v1/${name}:getProcessedDocument`, {
    headers: token ? { Authorization: `Bearer ${token}` } : {},
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
  }).catch(() => undefined);
  if (!reply?.ok) {
    say(main, refusal(texts, reply?.status));
    return;
  }
  const { jsonData } = (await reply.json()) as { jsonData?: string };
  const layout = JSON.parse(jsonData ?? "{}") as Layout;
  const title = layout.title || decodeURIComponent(name.split("/").pop() ?? "");
  document.title = title;
  const href = safeLink(layout.uri ?? "");
  main.replaceChildren(
    make("h1", { textContent: title, dir: "auto" }),
    ...(href ? [make("p", {}, outsideLink(href, texts.original))] : []),
    ...nodesOf(layout.documentLayout?.blocks ?? [], title, texts),
  );
  const mark = markQuote(main, given.get("quote") ?? "");
  if (!mark) return;
  mark.tabIndex = -1;
  mark.focus({ preventScroll: true });
  mark.scrollIntoView({ block: "center" });
}

function nodesOf(blocks: readonly LayoutBlock[], title: string, texts: ReaderTexts): HTMLElement[] {
  let page = 0;
  // The title stands there: a document that begins with it has its own headings below.
  const isTitled = blocks[0]?.textBlock?.text === title;
  let level = 1;
  const nodes: HTMLElement[] = [];
  for (const { textBlock, pageSpan } of blocks) {
    const { text = "", type = "paragraph" } = textBlock ?? {};
    const on = pageSpan?.pageStart ?? page;
    if (on !== page) nodes.push(make("p", { className: "page", textContent: `${texts.page} ${on}` }));
    page = on;
    if (isTitled && textBlock === blocks[0]?.textBlock) continue;
    const told = Number(/^heading-([1-6])$/.exec(type)?.[1] ?? 0);
    // None is left out on the way down, and none is above the title.
    if (told) level = Math.max(2, Math.min(told + (isTitled ? 0 : 1), level + 1, 6));
    nodes.push(nodeOf(text, type, told && level));
  }
  return nodes;
}

function nodeOf(text: string, type: string, level: number): HTMLElement {
  if (level) return make(`h${level}` as "h2", { textContent: text, dir: "auto" });
  if (type === "code") {
    return make("pre", { tabIndex: 0, dir: "ltr" }, make("code", { textContent: text }));
  }
  return make("p", { className: type, textContent: text, dir: "auto" });
}

function refusal(texts: ReaderTexts, status: number | undefined): string {
  if (status === undefined) return texts.offline;
  return [401, 403].includes(status) ? texts.ended : status === 404 ? texts.absent : texts.failed;
}

function say(main: HTMLElement, text: string): void {
  main.replaceChildren(make("p", { role: "alert", className: "refusal", textContent: text }));
}

void show();
