// What is shown. The address keeps it, so that links and the browser's back button work.
import { isDay, today } from "./dates.js";
import { words } from "./words.js";

export const VIEWS = ["month", "week", "list"];

// preferred returns the first of the browser's languages that the page has.
const preferred = () => navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((code) => words[code]) ?? "en";

// read returns the state in an address.
export function read(hash) {
  const from = new URLSearchParams(hash.slice(1));
  const [language, view, day] = ["language", "view", "day"].map((name) => from.get(name) ?? "");
  return {
    language: words[language] ? language : preferred(),
    view: [...VIEWS, "day"].includes(view) ? view : "month",
    day: isDay(day) ? day : today(),
    event: Number(from.get("event")) || 0,
    search: from.get("search") ?? "",
  };
}

// address returns the address of a state.
export function address(state) {
  const to = new URLSearchParams({ language: state.language, view: state.view, day: state.day });
  if (state.event) to.set("event", state.event);
  if (state.search) to.set("search", state.search);
  return `#${to}`;
}
