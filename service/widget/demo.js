/** The mock portal: its articles and questions come from the data store, its chat from elsewhere. */

const ARTICLES = 12;
const { store } = document.body.dataset;
const GUIDE = "/dataStores/guide";
const chat = document.querySelector("colloquy-chat") ?? (await added());
const tag = document.querySelector("script[data-form]");

/** The chat puts itself at the end of the page; should it be blocked, the portal still stands. */
function added() {
  return new Promise((found) => {
    const look = () => found(document.querySelector("colloquy-chat"));
    addEventListener("load", look, { once: true });
    if (document.readyState === "complete") look();
  });
}

function make(name, properties, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

async function read(path) {
  const reply = await fetch(`/v1/${path}`).catch(() => null);
  return reply?.ok ? reply.json() : {};
}

function askButton(words, question = words) {
  return make("button", { type: "button", textContent: words, onclick: () => chat?.ask(question) });
}

/** An article is read where it lies; what was imported from a file is asked about. */
function card({ id, content, derivedStructData }) {
  const title = derivedStructData?.title ?? id;
  const address = /^https?:\/\//.test(content?.uri ?? "") ? content.uri
    : store.endsWith(GUIDE) ? `/guide/${id.replace(/\.md$/, "")}` : "";
  return address ? make("a", { href: address, textContent: title }) : askButton(title, `What is said about ${title}?`);
}

async function showArticles() {
  const { documents = [] } = await read(`${store}/branches/0/documents?pageSize=${ARTICLES}`);
  document.getElementById("cards").append(...documents.map((one) => make("li", {}, card(one))));
  document.getElementById("empty").hidden = documents.length > 0;
}

async function showQuestions() {
  const { starterQuestions = [] } = await read(`${store}/widgetConfigs/default_search_widget_config`);
  document.getElementById("questions").append(...starterQuestions.map((one) => make("li", {}, askButton(one))));
}

document.getElementById("search").addEventListener("submit", (event) => {
  event.preventDefault();
  chat?.ask(event.target.elements.question.value);
  event.target.reset();
});

const PALETTES = {
  light: { ink: "#17202b", soft: "#566272", paper: "#ffffff", shade: "#f2f5f8", line: "#c3cdd8", mark: "#fff3b0", bad: "#a3261b" },
  dark: { ink: "#e8edf3", soft: "#a9b5c3", paper: "#11161c", shade: "#1b232c", line: "#465463", mark: "#5a4b00", bad: "#ff9d93" },
};
const settings = document.getElementById("settings");
const defaults = Object.fromEntries(new FormData(settings));
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];

/** Return black or white, whichever is read better on the colour *hex* (WCAG 2, relative luminance). */
function inkOn(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

/** Return the style that the settings are, "" where all is as it comes. */
function style({ accent, radius, text, scheme }) {
  const own = Object.entries(PALETTES[scheme] ?? {}).map(([name, value]) => [`--colloquy-${name}`, value]);
  if (scheme) own.push(["color-scheme", scheme]);
  if (scheme || accent !== defaults.accent) own.push(["--colloquy-accent", accent], ["--colloquy-accent-ink", inkOn(accent)]);
  if (radius !== defaults.radius) own.push(["--colloquy-radius", `${radius}px`]);
  const rules = own.length ? [`colloquy-chat {\n${own.map(([name, value]) => `  ${name}: ${value};\n`).join("")}}`] : [];
  if (text !== defaults.text) rules.push(`colloquy-chat::part(text) { font-size: ${text}%; }`);
  return rules.join("\n");
}

function snippet({ position, lang }, css) {
  const attributes = [
    'type="module"', `src="${tag.src}"`, `integrity="${tag.integrity}"`, "crossorigin", 'data-form="launcher"',
    `data-heading="${tag.dataset.heading}"`, `data-serving-config="${tag.dataset.servingConfig}"`,
  ];
  if (position !== defaults.position) attributes.push(`data-position="${position}"`);
  if (lang) attributes.push(`data-lang="${lang}"`);
  const script = `<script\n${attributes.map((one) => `  ${one}\n`).join("")}></script>`;
  return css ? `<style>\n${css}\n</style>\n${script}` : script;
}

function theme() {
  const given = Object.fromEntries(new FormData(settings));
  const css = style(given);
  sheet.replaceSync(css);
  chat?.setAttribute("position", given.position);
  if (given.lang) chat?.setAttribute("lang", given.lang);
  else chat?.removeAttribute("lang");
  document.getElementById("snippet").textContent = snippet(given, css);
}

settings.addEventListener("input", theme);
settings.addEventListener("reset", () => setTimeout(theme));
document.getElementById("copy").addEventListener("click", async () => {
  const said = document.getElementById("copied");
  await navigator.clipboard.writeText(document.getElementById("snippet").textContent).then(
    () => { said.textContent = "Copied"; },
    () => { said.textContent = "The browser did not let it be copied: select it instead."; },
  );
});
theme();
await Promise.all([showArticles(), showQuestions()]);
