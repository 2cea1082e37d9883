/**
 * Links within a portal that bring a question along: `#colloquy-ask=How%20do%20I…`.
 *
 * The question is put into the field and not asked: a link may come from anybody, and what is
 * asked stands in the session of the person who follows it.
 */

const FIELD = "colloquy-ask";
/** Characters that are taken over: an address may be as long as it likes. */
const LONGEST = 1000;

/** Return the address of this page with a question. */
export function linkTo(question: string): string {
  const url = new URL(location.href);
  url.hash = `${FIELD}=${encodeURIComponent(question)}`;
  return url.href;
}

/** Take the question out of the address, so that a reload does not bring it again. */
export function takeQuestion(): string {
  const asked = new URLSearchParams(location.hash.slice(1)).get(FIELD);
  if (asked === null) return "";
  history.replaceState(history.state, "", location.pathname + location.search);
  return asked.slice(0, LONGEST).trim();
}
