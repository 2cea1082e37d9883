/** Finds sections of the whole guide by their words, and folds the list of pages on a phone. */

const MOST = 30;
const NARROW = "(max-width: 48rem)";
const EXCERPT = 160;
const PAUSE_MS = 300;
const LETTER = /[\p{L}\p{N}]/u;

const field = document.getElementById("find");
const found = document.getElementById("found");
const list = found.querySelector("ul");
const count = document.getElementById("count");
let sections;
let announcing;

field.closest("search").hidden = false;
if (matchMedia(NARROW).matches) document.querySelector("nav details").open = false;

/** Asks for what is looked through when somebody looks for the first time. */
async function load() {
  const reply = await fetch("/guide/sections.json");
  if (!reply.ok) throw new Error(`${reply.status}`);
  return (await reply.json()).map(([address, page, heading, text]) => ({
    address,
    page,
    heading,
    text,
    title: page.toLowerCase(),
    head: heading.toLowerCase(),
    body: text.toLowerCase(),
  }));
}

/** Where a word of `text` begins with `word`, from `at` on; -1 where none does. */
function beginning(text, word, at = 0) {
  let hit = text.indexOf(word, at);
  while (hit > 0 && LETTER.test(text[hit - 1])) hit = text.indexOf(word, hit + 1);
  return hit;
}

const holds = (text, word) => Number(beginning(text, word) >= 0);

/** What stands for `words` in a section, 0 where one is missing: titles say most, then headings. */
function score({ title, head, body }, words) {
  let sum = 0;
  for (const word of words) {
    const one = 9 * holds(head, word) + 4 * holds(title, word) + holds(body, word);
    if (!one) return 0;
    sum += one + 2 * head.startsWith(word);
  }
  return sum;
}

/** Appends `text` to `node` with `words` marked. */
function mark(node, text, words) {
  const lower = text.toLowerCase();
  let at = 0;
  for (;;) {
    const hits = words.map((word) => [beginning(lower, word, at), word.length]).filter(([hit]) => hit >= 0);
    if (!hits.length || lower.length !== text.length) break;
    const [hit, length] = hits.reduce((a, b) => (b[0] < a[0] || (b[0] === a[0] && b[1] > a[1]) ? b : a));
    const marked = document.createElement("mark");
    marked.textContent = text.slice(hit, hit + length);
    node.append(text.slice(at, hit), marked);
    at = hit + length;
  }
  node.append(text.slice(at));
}

/** The part of a section's text where the first of `words` stands, cut between words. */
function excerpt({ text, body }, words) {
  const hits = words.map((word) => beginning(body, word)).filter((hit) => hit >= 0);
  const first = Math.max(0, Math.min(...hits, text.length) - EXCERPT / 4);
  const from = first && hits.length ? text.indexOf(" ", first) + 1 : 0;
  const to = from + EXCERPT < text.length ? text.lastIndexOf(" ", from + EXCERPT) : text.length;
  return `${from ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
}

function entry(section, words) {
  const link = document.createElement("a");
  link.href = section.address;
  mark(link, section.heading, words);
  const page = document.createElement("small");
  page.textContent = section.heading === section.page ? "" : ` ${section.page}`;
  const text = document.createElement("p");
  mark(text, excerpt(section, words), words);
  const item = document.createElement("li");
  item.append(link, page, text);
  return item;
}

/** Says it when the keys rest: a screen reader would be interrupted at each of them. */
function announce(text) {
  clearTimeout(announcing);
  announcing = setTimeout(() => (count.textContent = text), PAUSE_MS);
}

async function find() {
  const asked = field.value;
  try {
    sections ??= load();
    await sections;
  } catch {
    sections = undefined;
    announce("The search is not to be had now: try again");
    found.hidden = false;
    return;
  }
  if (field.value !== asked) return; // a later key has come
  const words = [...new Set(asked.toLowerCase().split(/\s+/).filter(Boolean))];
  const fits = (await sections)
    .map((section) => [words.length ? score(section, words) : 0, section])
    .filter(([one]) => one)
    .sort(([a], [b]) => b - a);
  list.replaceChildren(...fits.slice(0, MOST).map(([, section]) => entry(section, words)));
  found.hidden = words.length === 0;
  const more = fits.length > MOST ? `, the best ${MOST} shown` : "";
  announce(fits.length ? `${fits.length} found${more}` : "Nothing found: try other words");
}

/** Arrow keys go from the field through what was found and back, Enter in the field to the first. */
function move(event) {
  if (event.isComposing) return;
  if (event.key === "Enter" && event.target === field) list.querySelector("a")?.click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || found.hidden) return;
  const stops = [field, ...list.querySelectorAll("a")];
  const next = stops[stops.indexOf(document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function leave() {
  field.value = "";
  found.hidden = true;
  field.focus();
}

field.addEventListener("input", find);
for (const node of [field, found]) {
  node.addEventListener("keydown", (event) => (event.key === "Escape" ? leave() : move(event)));
}
found.addEventListener("click", ({ target }) => {
  if (target.closest("a")) found.hidden = true;
});
