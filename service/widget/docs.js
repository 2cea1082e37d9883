/** Shows the OpenAPI document of this service; text only, and no request to anywhere else. */

const METHODS = ["get", "post", "put", "patch", "delete"];

function make(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function resolve(document_, schema) {
  return schema?.$ref ? document_.components.schemas[schema.$ref.split("/").pop()] : schema;
}

/** Say in a few words what a schema allows. */
function kind(document_, schema) {
  if (!schema) return "";
  if (schema.$ref) return schema.$ref.split("/").pop();
  const choice = schema.oneOf ?? schema.anyOf;
  if (choice) {
    return choice.filter((one) => one.type !== "null").map((one) => kind(document_, one)).join(" | ");
  }
  if (schema.type === "array") return `${kind(document_, schema.items)}[]`;
  if (schema.enum) return schema.enum.join(" | ");
  return [schema.type, schema.format && `(${schema.format})`].filter(Boolean).join(" ");
}

function table(title, rows) {
  if (!rows.length) return "";
  const body = make("tbody");
  for (const cells of rows) {
    body.append(make("tr", {}, ...cells.map((cell) => make("td", { textContent: cell ?? "" }))));
  }
  return make("section", {}, make("h4", { textContent: title }), make("table", {}, body));
}

function fields(document_, schema) {
  const found = resolve(document_, schema);
  return Object.entries(found?.properties ?? {}).map(([name, property]) => [
    name,
    kind(document_, property),
    property.description ?? resolve(document_, property)?.description ?? "",
  ]);
}

function operationView(document_, path, method, operation) {
  const view = make("details");
  const line = `${operation.operationId ?? ""} ${path} ${method}`;
  view.dataset.find = `${line} ${operation.summary ?? ""} ${operation.tags ?? ""}`.toLowerCase();
  view.append(
    make("summary", {},
      make("span", { className: "method", textContent: method.toUpperCase() }),
      make("span", { className: "path", textContent: path }),
      ` ${operation.description ?? operation.summary ?? ""}`),
  );
  view.addEventListener("toggle", () => {
    if (view.children.length > 1) return;
    const parameters = (operation.parameters ?? []).map((one) => [
      one.name, `${one.in}, ${kind(document_, one.schema)}`, one.description ?? "",
    ]);
    const body = operation.requestBody?.content?.["application/json"]?.schema;
    const reply = operation.responses?.["200"]?.content?.["application/json"]?.schema;
    view.append(
      table("Parameters", parameters),
      table(`Body: ${kind(document_, body)}`, fields(document_, body)),
      table(`Reply: ${kind(document_, reply)}`, fields(document_, reply)),
    );
  });
  return view;
}

const main = document.getElementById("operations");
const reply = await fetch("/openapi.json");
const openapi = await reply.json();
const groups = new Map();
for (const [path, item] of Object.entries(openapi.paths)) {
  for (const method of METHODS) {
    if (!item[method]) continue;
    const tag = item[method].tags?.[0] ?? "Other";
    if (!groups.has(tag)) groups.set(tag, make("section", {}, make("h2", { textContent: tag })));
    groups.get(tag).append(operationView(openapi, path, method, item[method]));
  }
}
main.replaceChildren(...[...groups].sort(([a], [b]) => a.localeCompare(b)).map(([, view]) => view));
document.getElementById("find").addEventListener("input", ({ target }) => {
  const wanted = target.value.toLowerCase();
  for (const view of main.querySelectorAll("details")) view.hidden = !view.dataset.find.includes(wanted);
});
