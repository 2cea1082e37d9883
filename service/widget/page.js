/** What `/` asks: `/?data-store=help` names a data store or engine; else it is the sample guide. */

const COLLECTION = "projects/colloquy/locations/global/collections/default_collection";
const ID = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const NAME = /^projects\/[^/]+\/locations\/[^/]+(\/collections\/[^/]+)?\/(dataStores|engines)\/[^/]+$/;
const LONGEST_SHOWN = 80;

const chat = document.querySelector("colloquy-chat");
const asked = new URLSearchParams(location.search).get("data-store");

/** Return the full name of what *text* means, null where it can be no name. */
function parentOf(text) {
  if (ID.test(text)) return `${COLLECTION}/dataStores/${text}`;
  const isPlain = text.split("/").every((part) => part !== "." && part !== "..");
  return NAME.test(text) && isPlain ? text : null;
}

/** Say in words why there is no chat, in the place of the chat. */
function say(words) {
  const note = Object.assign(document.createElement("p"), { className: "note", textContent: words });
  note.setAttribute("role", "alert");
  const guide = Object.assign(document.createElement("a"), { href: "/", textContent: "Ask the sample guide" });
  const below = Object.assign(document.createElement("p"), { className: "note" });
  below.append(guide);
  chat.replaceWith(note, below);
}

function shortened(text) {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

async function begin(parent) {
  const path = parent.split("/").map(encodeURIComponent).join("/");
  const reply = await fetch(`/v1/${path}/widgetConfigs/default_search_widget_config`).catch(() => null);
  if (reply?.status === 404) {
    say(`There is no data store “${shortened(asked)}” here. Import documents into it first: ` +
      "colloquy import FOLDER --data-store NAME. The command colloquy stores list shows those there are.");
  } else if (reply?.status === 400) {
    sayInvalid();
  } else if (reply?.ok) {
    const { displayName } = await reply.json();
    if (displayName) {
      document.title = displayName;
      chat.setAttribute("heading", displayName);
    }
  }
}

function sayInvalid() {
  say(`“${shortened(asked)}” names no data store. Give its id, such as /?data-store=help, of a-z, 0-9, ` +
    "'-' and '_', or its full name, projects/…/dataStores/….");
}

if (asked !== null) {
  const parent = parentOf(asked);
  if (parent) {
    chat.setAttribute("serving-config", `${parent}/servingConfigs/default_config`);
    begin(parent);
  } else {
    sayInvalid();
  }
}
