// The demo's page: a month, a week, a list or an event, drawn from the API, and beside it the
// request that it was drawn from.
import { feed, otherPages, query, revalidate, root } from "./api.js";
import * as categories from "./categories.js";
import { watch } from "./changes.js";
import { plusDays, today } from "./dates.js";
import { byID, element, plain } from "./dom.js";
import { activate, dayButton } from "./grid.js";
import { VIEWS, address, read } from "./state.js";
import { drawEvent } from "./views/event.js";
import { day, drawFound, list } from "./views/list.js";
import { month } from "./views/month.js";
import { narrow, week } from "./views/week.js";
import { words } from "./words.js";
import * as workbench from "./workbench.js";

const views = { month, week, list, day };
const NEWS = 6000; // milliseconds for which a message is shown
const TYPING = 300; // milliseconds after the last key before the search begins

let state = read(location.hash);
let events = [], listPath = ""; // what is shown, and the request for it
let translated = "", categoriesLoaded = null; // the language of the labels, and of the categories
let drawing = 0; // counts up, so that late answers to earlier requests are dropped

const word = (name) => words[state.language][name];

// go shows something else. Steps that replace leave no entry in the browser's history.
function go(change, replace = false) {
  const before = state;
  state = { ...state, ...change };
  history[replace ? "replaceState" : "pushState"](null, "", address(state));
  draw(before);
}

let forgetting = 0;
function tell(text) {
  clearTimeout(forgetting);
  byID("news").textContent = text;
  forgetting = setTimeout(() => { byID("news").textContent = ""; }, NEWS);
}

// translate changes the words that stand around the calendar. It returns a promise of the
// categories.
function translate() {
  if (translated === state.language) return categoriesLoaded;
  translated = document.documentElement.lang = state.language;
  byID("town").textContent = word("town");
  document.title = `${word("town")} – calbridge`;
  for (const [id, name] of Object.entries({ what: "what", "link-api": "api", "link-feed": "feed", "link-json": "json", "link-console": "console", "link-readme": "readme", today: "today", back: "back", subscribe: "subscribe" })) {
    if (byID(id)) byID(id).textContent = word(name);
  }
  for (const id of ["languages", "steps", "views", "previous", "next", "search", "legend"]) byID(id).setAttribute("aria-label", word(id));
  byID("search").placeholder = word("search");
  byID("link-feed").href = feed(state.language);
  byID("subscribe").href = `webcal://${location.host}${feed(state.language)}`;
  if (byID("link-json")) {
    byID("link-api").href = `${root(state.language)}/docs`;
    byID("link-json").href = `${root(state.language)}/events.jsonfeed`;
  }
  for (const button of byID("languages").children) button.setAttribute("aria-pressed", String(button.lang === state.language));
  for (const button of byID("views").children) button.textContent = word(button.dataset.view);
  workbench.translate(state.language, word);
  categoriesLoaded = categories.load(state.language);
  return categoriesLoaded;
}

// arrange shows the controls that what is shown has a use for.
function arrange() {
  for (const button of byID("views").children) button.setAttribute("aria-pressed", String(!state.event && !state.search && button.dataset.view === state.view));
  byID("back").hidden = !state.event && !state.search && state.view !== "day";
  byID("steps").hidden = Boolean(state.event || state.search);
  if (document.activeElement !== byID("search")) byID("search").value = state.search;
}

function requestPath() {
  if (state.event) return `${root(state.language)}/events/${state.event}`;
  if (state.search) return query(state.language, "events", { search: state.search, ends_after: plusDays(today(), -1), per_page: 50 });
  const [first, last] = views[state.view].range(state.day);
  // start_date and end_date would find only events that lie within the range. Both dates below
  // mean the end of their day.
  return query(state.language, "events", { starts_before: last, ends_after: plusDays(first, -1), per_page: 50 });
}

// draw requests and draws what the state names. before is the state that was shown.
async function draw(before = state) {
  const own = ++drawing;
  delete document.documentElement.dataset.shown;
  arrange();
  await translate();
  listPath = requestPath();
  const data = await workbench.show("GET", listPath);
  const found = state.event ? [data].filter(Boolean) : await otherPages(listPath, data);
  if (own !== drawing) return; // something else is shown by now
  events = found;
  if (!data) tell(word("failed"));
  redraw();
  focusAfter(before);
  document.documentElement.dataset.shown = address(state);
}

// redraw draws the events. fresh holds the ids of those that have just changed.
function redraw(fresh) {
  const focused = focusedPart();
  const shown = {
    language: state.language, day: state.day, word, events, fresh, move,
    now: () => state.day,
    open: (event) => go({ event }),
    openDay: (day) => go({ view: "day", day, search: "" }),
  };
  if (state.event) {
    byID("heading").textContent = events.length ? plain(events[0].title) : word("failed");
    byID("view").replaceChildren(events.length ? drawEvent(shown, events[0], save) : "");
  } else if (state.search) {
    byID("heading").textContent = `${word("found")}: ${events.length}`;
    byID("view").replaceChildren(drawFound(shown));
  } else {
    byID("heading").textContent = views[state.view].heading(state.language, state.day);
    byID("view").replaceChildren(views[state.view].draw(shown));
  }
  categories.drawLegend(events);
  if (focused) byID("view").querySelector(focused)?.focus({ preventScroll: true });
}

// focusedPart returns a selector of what has the focus in the view, which is about to be replaced.
function focusedPart() {
  const active = document.activeElement;
  if (!byID("view").contains(active)) return "";
  if (active.id) return `#${active.id}`;
  for (const name of ["event", "date"]) {
    if (active.dataset[name]) return `[data-${name}="${active.dataset[name]}"]`;
  }
  return `[data-day="${state.day}"] button.date`; // of a grid
}

// focusAfter moves the focus when what had it is gone, or has got a new text: to an event that
// was open, to the day, or to the heading.
function focusAfter(before) {
  if (![document.body, byID("heading")].includes(document.activeElement) || before === state) return;
  const closed = before.event && !state.event && byID("view").querySelector(`[data-event="${before.event}"]`);
  const target = closed || (!state.event && !state.search && dayButton(byID("view"), state.day)) || byID("heading");
  target.focus({ preventScroll: true });
}

// move goes to a day of a grid by the keyboard.
function move(day) {
  const grid = byID("view").querySelector("[role=grid]");
  dayButton(grid, state.day)?.focus();
  if (!dayButton(grid, day) || (state.view === "month" && day.slice(0, 7) !== state.day.slice(0, 7))) {
    go({ day }, true);
    return;
  }
  state.day = day;
  history.replaceState(null, "", address(state));
  activate(grid, day);
  dayButton(grid, day).focus();
}

async function save(fields) {
  const data = await workbench.show("PUT", `${root(state.language)}/events/${state.event}`, JSON.stringify(fields));
  tell(data ? word("saved") : word("failed"));
  if (data) await renew(true);
}

// renew asks again for what is shown, and draws it if it has changed. quiet keeps the message.
async function renew(quiet = false) {
  const own = drawing;
  const data = await revalidate(listPath).catch(() => null);
  if (!data || own !== drawing) return;
  const found = state.event ? [data] : await otherPages(listPath, data);
  const before = new Map(events.map((event) => [event.id, JSON.stringify(event)]));
  const changed = found.filter((event) => before.get(event.id) !== JSON.stringify(event));
  if (own !== drawing || (!changed.length && found.length === events.length)) return;
  events = found;
  redraw(new Set(changed.map((event) => event.id)));
  if (!quiet) tell([word("changed"), changed.map((event) => plain(event.title)).join(", ")].filter(Boolean).join(": "));
}

// back leaves an event, a search or a day.
function back() {
  if (state.event) go({ event: 0 });
  else if (state.search) go({ search: "" });
  else if (state.view === "day") go({ view: "month" });
}

function setUp() {
  byID("languages").append(...Object.keys(words).map((code) => element("button", { type: "button", lang: code, click: () => go({ language: code, event: 0 }) }, words[code].name)));
  byID("views").append(...VIEWS.map((view) => element("button", { type: "button", "data-view": view, click: () => go({ view, event: 0, search: "" }) })));
  byID("previous").addEventListener("click", () => go({ day: views[state.view].step(state.day, -1) }));
  byID("next").addEventListener("click", () => go({ day: views[state.view].step(state.day, 1) }));
  byID("today").addEventListener("click", () => go({ day: today() }));
  byID("back").addEventListener("click", back);
  let typing = 0;
  byID("search").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => go({ search: byID("search").value.trim(), event: 0 }, Boolean(state.search)), TYPING);
  });
  byID("find").addEventListener("submit", (e) => e.preventDefault());
  addEventListener("keydown", (e) => {
    // In the form it would drop what somebody has typed.
    if (e.key === "Escape" && !e.target.closest?.("#workbench, form.edit")) back();
  });
  addEventListener("popstate", () => {
    const before = state;
    state = read(location.hash);
    draw(before);
  });
  narrow.addEventListener("change", () => redraw());
  workbench.setUp();
  document.querySelector("main").hidden = false;
}

setUp();
await draw();
watch(() => renew());
