/** Finds headings of the whole guide by the words in them, and folds the list of pages on a phone. */

const MOST = 30;
const NARROW = "(max-width: 48rem)";

const field = document.getElementById("find");
const found = document.getElementById("found");
const count = document.getElementById("count");
const items = [...found.querySelectorAll("li")].map((node) => ({
  node,
  text: node.textContent.toLowerCase(),
}));

field.closest("search").hidden = false;
if (matchMedia(NARROW).matches) document.querySelector("nav details").open = false;

function find() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = items.filter(({ text }) => words.every((word) => text.includes(word)));
  for (const { node } of items) node.hidden = true;
  for (const { node } of fits.slice(0, MOST)) node.hidden = false;
  found.hidden = words.length === 0;
  const more = fits.length > MOST ? `, the first ${MOST} shown` : "";
  count.textContent = fits.length ? `${fits.length} found${more}` : "Nothing found: try other words";
}

field.addEventListener("input", find);
field.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  field.value = "";
  find();
});
found.addEventListener("click", ({ target }) => {
  if (target.closest("a")) found.hidden = true;
});
find();
