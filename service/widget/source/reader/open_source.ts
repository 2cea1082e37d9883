/** Open a source where it says what is cited: its own page, or the service's page that shows it. */

import { safeLink } from "../dom";
import type { Connection } from "../connection/connection";

/** Words that begin and end a text fragment; a whole passage would have to be the same letter by letter. */
const WORDS = 5;
/** Characters of a quote that stands in a fragment as a whole. */
const SHORT = 60;
/** Documents of data stores; what stands in a corpus has no page. */
const READABLE = /^projects\/[^/]+\/locations\/[^/]+\/collections\/[^/]+\/dataStores\/[^/]+\/branches\/[^/]+\/documents\/[^/]+$/;

/** Return the address of a source's own page with a text fragment, "" where it has none. */
export function pageAddress(uri: string, quote: string): string {
  const href = safeLink(uri);
  if (!/^https?:/.test(href)) return "";
  const fragment = textFragment(quote);
  if (!fragment) return href;
  return `${href}${href.includes("#") ? "" : "#"}:~:text=${fragment}`;
}

/** Whether a document can be shown by the service. */
export function isReadable(document: string): boolean {
  return READABLE.test(document);
}

/**
 * Show a document in a new tab, by a token that is good for it alone. Call it while a click is
 * handled: only then is the tab no pop-up. False where the token was not to be had.
 *
 * `socket` is the address of the service's WebSocket.
 */
export async function openDocument(
  document: string,
  quote: string,
  connection: Pick<Connection, "request">,
  socket: string,
): Promise<boolean> {
  const tab = open("", "_blank");
  if (!tab) return false;
  tab.opener = null;
  const path = document.split("/").map(encodeURIComponent).join("/");
  try {
    const { status, body } = await connection.request("POST", `/v1/${path}:mintReadToken`, {});
    if (status !== 200) throw new Error(String(status));
    const page = new URL(`/documents/${path}`, socket.replace(/^ws/, "http"));
    page.hash = new URLSearchParams({ token: (body as { token: string }).token, quote }).toString();
    tab.location.replace(page.href);
    return true;
  } catch {
    tab.close();
    return false;
  }
}

/** Return the value of a text directive: the quote, or how it begins and ends. */
function textFragment(quote: string): string {
  // Within one line: a fragment that begins and ends must not have a block's end inside of a part.
  const line = quote
    .split("\n")
    .map((each) => each.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim())
    .sort((one, other) => other.length - one.length)[0] ?? "";
  const words = line.split(/\s+/).filter(Boolean);
  if (line.length <= SHORT || words.length <= 2 * WORDS) return encoded(line);
  return `${encoded(words.slice(0, WORDS).join(" "))},${encoded(words.slice(-WORDS).join(" "))}`;
}

/** A dash, a comma and an ampersand mean something in a text directive. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/-/g, "%2D");
}
