// Colours of categories: each top-level category has one, and those below it share it.
import { query, revalidate } from "./api.js";
import { byID, element, plain } from "./dom.js";

const COLOURS = 8; // in calendar.css
let parents = new Map(); // ids of categories to those of their parents, 0 for none
let top = []; // the top-level categories, in order of their ids, which is the same in all languages

// load fetches the categories of a language.
export async function load(language) {
  const list = (await revalidate(query(language, "categories", { per_page: 50, hide_empty: 0 })).catch(() => null))?.categories ?? [];
  parents = new Map(list.map((category) => [category.id, category.parent]));
  top = list.filter((category) => !category.parent).sort((a, b) => a.id - b.id);
}

// index returns the position of an event's top-level category, or -1.
function index(event) {
  let id = event.categories?.[0]?.id;
  while (parents.get(id)) id = parents.get(id);
  return top.findIndex((category) => category.id === id);
}

const className = (n) => (n < 0 ? "none" : `colour${n % COLOURS}`);

// colour returns the class of an event's colour.
export const colour = (event) => className(index(event));

// drawLegend lists the categories of the events that are shown.
export function drawLegend(events) {
  const shown = [...new Set(events.map(index))].filter((n) => n >= 0).sort((a, b) => a - b);
  byID("legend").replaceChildren(...shown.map((n) => element("li", { class: className(n) }, plain(top[n].name))));
}
