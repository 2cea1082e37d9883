/** Shows the OpenAPI and AsyncAPI documents of this service, and tries methods of the same origin. */

const METHODS = ["get", "post", "put", "patch", "delete"];
const DEEP = 3;
const QUERY = { query: { text: "How are citations counted?" } };
/** Bodies to begin with, where one made of the types would say too little. */
const BODIES = {
  AnswerQuery: { ...QUERY, answerGenerationSpec: { includeCitations: true } },
  StreamAnswerQuery: { ...QUERY, answerGenerationSpec: { includeCitations: true } },
  Search: { query: "citations", pageSize: 3 },
  CreateSession: { userPseudoId: "ann" },
  GenerateContent: { contents: [{ role: "user", parts: [{ text: "Say hello." }] }] },
};
/** What stands in a path while it is tried: the sample guide. */
const SEGMENTS = {
  project: "colloquy", location: "global", collection: "default_collection", data_store: "guide", branch: "0",
  serving_config: "default_config", session: "-", ranking_config: "default_ranking_config",
  grounding_config: "default_grounding_config",
};

function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

const nameOf = (schema) => schema?.$ref?.split("/").pop() ?? "";
const resolve = (from, schema) => from.components.schemas[nameOf(schema)] ?? schema;
/** Return the type whose fields a reader may want to see: of a list, that of its items. */
const inner = (schema) => (schema?.type === "array" ? inner(schema.items) : schema);

/** Return a description with what stands between backticks as code. */
function prose(text = "") {
  return make("span", {}, ...text.split("`").map((part, at) => (at % 2 ? make("code", { textContent: part }) : part)));
}

/** Say in a few words what a schema allows. */
function kind(schema) {
  if (!schema) return "";
  if (schema.type === "array") return `list of ${kind(schema.items)}`;
  if (schema.const) return `“${schema.const}”`;
  return nameOf(schema) || schema.enum?.join(" | ") || [schema.type ?? "any", schema.format && `(${schema.format})`].filter(Boolean).join(" ");
}

/** Show fields and, folded, those of the types within them, made when they are first opened. */
function fields(from, schema) {
  const found = resolve(from, schema) ?? {};
  const list = make("dl");
  for (const [name, property] of Object.entries(found.properties ?? {})) {
    const needed = found.required?.includes(name) ? ", required" : "";
    list.append(
      make("dt", {}, make("span", { className: "name", textContent: name }), " ",
        make("span", { className: "kind", textContent: kind(property) + needed })),
      make("dd", {}, prose(property.description), nested(from, inner(property))),
    );
  }
  return list;
}

function nested(from, schema) {
  const found = resolve(from, schema);
  if (found?.enum && nameOf(schema)) return make("div", { className: "kind", textContent: found.enum.join(" | ") });
  if (!nameOf(schema) || !Object.keys(found?.properties ?? {}).length) return "";
  return folded(make("span", { textContent: `${nameOf(schema)}: ${found.description}` }), () => [fields(from, schema)]);
}

function folded(summary, content) {
  const view = make("details", {}, make("summary", {}, summary));
  view.addEventListener("toggle", () => {
    if (view.open && view.children.length === 1) view.append(...content());
  });
  return view;
}

/** Return a value that the schema allows, with what is in it up to some depth. */
function example(from, schema, depth = DEEP) {
  const found = resolve(from, schema) ?? {};
  if (found.const) return found.const;
  if (found.enum) return found.enum.find((one) => !one.endsWith("_UNSPECIFIED")) ?? found.enum[0];
  if (found.type === "array") return depth ? [example(from, found.items, depth - 1)] : [];
  if (found.properties) {
    const shown = depth ? Object.entries(found.properties) : [];
    return Object.fromEntries(shown.map(([name, one]) => [name, example(from, one, depth - 1)]));
  }
  if (found.format === "date-time") return "2026-01-31T12:00:00Z";
  if (found.format === "duration-seconds") return "600s";
  if (found.format === "int64") return "0";
  return { string: "…", integer: 1, number: 0.5, boolean: true, object: {} }[found.type] ?? {};
}

const pretty = (value) => JSON.stringify(value, null, 2);
const block = (text, label) => make("pre", { tabIndex: 0, textContent: text, ariaLabel: label });
const heading = (text) => make("h4", { textContent: text });
const jsonOf = (content) => content?.content?.["application/json"]?.schema;

function operationDetails(api, path, method, operation) {
  const body = jsonOf(operation.requestBody);
  const reply = jsonOf(operation.responses?.["200"]);
  const list = make("dl");
  for (const one of operation.parameters ?? []) {
    list.append(
      make("dt", {}, make("span", { className: "name", textContent: one.name }), " ",
        make("span", { className: "kind", textContent: `${one.in}, ${kind(one.schema)}` })),
      make("dd", {}, prose(one.description)),
    );
  }
  const asked = body && pretty(BODIES[operation.operationId] ?? example(api, body, 1));
  return [
    make("p", {}, make("a", { href: `#${operation.operationId}`, textContent: "Link to this method" })),
    ...(list.children.length ? [heading("Parameters"), list] : []),
    ...(body ? [heading(`Body: ${kind(body)}`), fields(api, body), heading("A request"), block(asked, "A request")] : []),
    ...(reply ? [heading(`Reply: ${kind(reply)}`), fields(api, inner(reply)), heading("The form of a reply"), block(pretty(example(api, reply)), "The form of a reply")] : []),
    tryForm(path, method, operation, asked),
  ];
}

/** A form that calls the method on this origin; the key is in no storage, and in no address. */
function tryForm(path, method, operation, asked) {
  const inputs = (operation.parameters ?? []).filter((one) => one.in !== "header").map((one) => ({
    ...one, input: make("input", { value: one.in === "path" ? (SEGMENTS[one.name] ?? "") : "", autocomplete: "off" }),
  }));
  const body = asked && make("textarea", { value: asked, spellcheck: false, ariaLabel: "Body" });
  const out = make("pre", { tabIndex: 0, hidden: true, role: "status" });
  const form = make("form", { className: "try" }, heading("Try it"),
    ...inputs.map(({ name, input }) => make("label", {}, make("span", { className: "path", textContent: name }), input)),
    body ?? "", make("button", { textContent: `Send ${method.toUpperCase()}` }), out);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const missing = inputs.find((one) => one.in === "path" && !one.input.value);
    if (missing) { missing.input.focus(); return; }
    let address = path;
    const query = new URLSearchParams();
    for (const one of inputs) {
      if (one.in === "path") address = address.replace(`{${one.name}}`, encodeURIComponent(one.input.value));
      else if (one.input.value) query.append(one.name, one.input.value);
    }
    out.hidden = false;
    out.textContent = "Sending…";
    out.textContent = await send(query.size ? `${address}?${query}` : address, method, body?.value);
  });
  return form;
}

async function send(address, method, body) {
  const key = document.getElementById("key").value.trim();
  const headers = key ? { Authorization: `Bearer ${key}` } : {};
  if (body) headers["Content-Type"] = "application/json";
  try {
    const reply = await fetch(address, { method: method.toUpperCase(), headers, body: body || undefined });
    const text = await reply.text();
    let shown = text;
    try { shown = pretty(JSON.parse(text)); } catch { /* it is shown as it came */ }
    return `${method.toUpperCase()} ${address}\n${reply.status} ${reply.statusText}\n\n${shown}`;
  } catch (error) {
    return `Nothing came back: ${error.message}`;
  }
}

/** Return all that a search may find in a view: its own words, and the fields of its messages. */
function wordsOf(api, ...schemas) {
  return schemas.flatMap((one) => Object.keys(resolve(api, inner(one))?.properties ?? {})).join(" ");
}

function entry(id, line, found, content) {
  const view = folded(line, content);
  view.id = id;
  view.classList.add("entry");
  view.dataset.find = found.toLowerCase();
  return view;
}

function operationEntry(api, path, method, operation) {
  const line = make("span", {},
    make("span", { className: "method", textContent: method.toUpperCase() }),
    make("strong", { textContent: operation.summary ?? operation.operationId }),
    make("span", { className: "path", textContent: path }));
  const names = (operation.parameters ?? []).map(({ name }) => name).join(" ");
  const words = wordsOf(api, jsonOf(operation.requestBody), jsonOf(operation.responses?.["200"]));
  const found = [operation.operationId, method, path, operation.summary, operation.tags, names, words].join(" ");
  return entry(operation.operationId, line, found, () => operationDetails(api, path, method, operation));
}

function frameEntry(api, action, name) {
  const { summary, payload } = api.components.messages[name];
  const line = make("span", {}, make("span", { className: "path name", textContent: name }), ` ${summary}`);
  return entry(`frame-${name}`, line, `websocket frame ${name} ${summary} ${wordsOf(api, payload)}`, () => [
    fields(api, payload), heading(action), block(pretty(example(api, payload, 2)), action),
  ]);
}

function section(title, entries) {
  return make("section", {}, make("h2", { textContent: title }), ...entries);
}

const main = document.getElementById("operations");
const [openapi, asyncapi] = await Promise.all(
  ["/openapi.json", "/asyncapi.json"].map(async (path) => (await fetch(path)).json()),
);
const groups = new Map();
for (const [path, item] of Object.entries(openapi.paths)) {
  for (const method of METHODS.filter((one) => item[one])) {
    const tag = item[method].tags?.[0] ?? "Other";
    groups.set(tag, [...(groups.get(tag) ?? []), operationEntry(openapi, path, method, item[method])]);
  }
}
const frames = Object.entries({ receive: "Frames that a client sends", send: "Frames that the service sends" }).map(
  ([operation, title]) => section(`WebSocket: ${title}`, asyncapi.operations[operation].messages.map(
    ({ $ref }) => frameEntry(asyncapi, "An example", $ref.split("/").pop()),
  )),
);
main.replaceChildren(
  ...[...groups].sort(([a], [b]) => a.localeCompare(b)).map(([tag, entries]) => section(tag, entries)), ...frames,
);

const field = document.getElementById("find");
function find() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const view of main.querySelectorAll(".entry")) {
    view.hidden = !words.every((word) => view.dataset.find.includes(word));
    count += view.hidden ? 0 : 1;
  }
  for (const one of main.querySelectorAll("section")) one.hidden = !one.querySelector(".entry:not([hidden])");
  document.getElementById("count").textContent = words.length ? `${count} found` : `${count} methods and frames`;
}

/** Open what the address names; a name that is none changes nothing. */
function openLinked() {
  const view = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!view?.classList.contains("entry")) return;
  view.open = true;
  view.scrollIntoView();
}

field.addEventListener("input", find);
addEventListener("hashchange", openLinked);
find();
openLinked();
