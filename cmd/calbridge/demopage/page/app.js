// The demo's page: a month, a day or an event, drawn from the API, and beside it the request
// that it was drawn from. Texts go into the document as text only.
import { ask, mayWrite, programs, revalidate, root } from "./api.js";
import { follow, watch } from "./changes.js";
import { words } from "./words.js";

const byID = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") e.addEventListener(key, value);
    else if (value !== false && value !== undefined) e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return e;
}

// plain is the text of HTML that the API gives.
const plain = (html) => new DOMParser().parseFromString(html ?? "", "text/html").body.textContent.trim();
const paragraphs = (html) => [...new DOMParser().parseFromString(html ?? "", "text/html").body.children].map((e) => e.textContent.trim()).filter(Boolean);

const two = (n) => String(n).padStart(2, "0");
const dayOf = (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
const dateOf = (day) => new Date(`${day}T12:00:00`);

// What is shown; the address keeps it, so that the browser's back button works.
let state = { language: "cs", month: dayOf(new Date()).slice(0, 7), day: "", event: 0 };
let events = [], listPath = "", program = "curl", lastAnswer = null;

const word = (name) => words[state.language][name];
const format = (date, options) => new Intl.DateTimeFormat(state.language, options).format(date);

function readAddress() {
  const from = new URLSearchParams(location.hash.slice(1));
  const language = from.get("language");
  if (words[language]) state.language = language;
  if (/^\d{4}-\d\d$/.test(from.get("month") ?? "")) state.month = from.get("month");
  state.day = /^\d{4}-\d\d-\d\d$/.test(from.get("day") ?? "") ? from.get("day") : "";
  state.event = Number(from.get("event")) || 0;
}

function go(change) {
  state = { ...state, ...change };
  const to = new URLSearchParams({ language: state.language, month: state.month });
  if (state.day) to.set("day", state.day);
  if (state.event) to.set("event", state.event);
  history.pushState(null, "", `#${to}`);
  draw();
}

// labels are the words that stand around the calendar.
function labels() {
  document.documentElement.lang = state.language;
  byID("town").textContent = document.title = word("town");
  byID("languages").setAttribute("aria-label", word("languages"));
  byID("languages").replaceChildren(...Object.keys(words).map((code) => element("button", { type: "button", lang: code, "aria-pressed": String(code === state.language), click: () => go({ language: code, event: 0 }) }, words[code].name)));
  for (const id of ["previous", "next", "today", "back", "send"]) byID(id).textContent = word(id);
  byID("workbench-title").textContent = word("workbench");
  byID("method-label").textContent = word("method");
  byID("address-label").textContent = word("address");
  byID("headers-title").textContent = word("headers");
  byID("body-title").textContent = word("body");
  byID("tabs").setAttribute("aria-label", word("as"));
  const single = Boolean(state.event || state.day);
  byID("back").hidden = !single;
  for (const id of ["previous", "next", "today"]) byID(id).hidden = Boolean(state.event);
}

function step(by) {
  if (state.day) {
    const date = dateOf(state.day);
    date.setDate(date.getDate() + by);
    go({ day: dayOf(date), month: dayOf(date).slice(0, 7) });
    return;
  }
  const [year, month] = state.month.split("-").map(Number);
  go({ month: dayOf(new Date(year, month - 1 + by, 1)).slice(0, 7) });
}

const time = (event) => event.all_day ? word("allDay") : event.start_date.slice(11, 16);

function eventButton(event, isNew) {
  return element("li", {}, element("button", { type: "button", class: isNew ? "new" : "", click: () => go({ event: event.id }) }, element("time", { datetime: event.start_date.replace(" ", "T") }, time(event)), plain(event.title)));
}

function drawMonth(fresh) {
  const [year, month] = state.month.split("-").map(Number);
  byID("heading").textContent = format(new Date(year, month - 1, 1), { month: "long", year: "numeric" });
  const first = new Date(year, month - 1, 1), days = new Date(year, month, 0).getDate();
  const before = (first.getDay() + 6) % 7; // weeks begin on Monday
  const list = element("ol", { class: "month" });
  for (let i = 0; i < before; i++) list.append(element("li", { class: "empty", "aria-hidden": "true" }));
  for (let n = 1; n <= days; n++) {
    const date = new Date(year, month - 1, n), day = dayOf(date);
    const on = events.filter((e) => e.start_date.slice(0, 10) <= day && e.end_date.slice(0, 10) >= day);
    const name = element("h3", {}, element("button", { type: "button", click: () => go({ day }) }, format(date, { weekday: "short", day: "numeric", month: "numeric" })));
    list.append(element("li", { class: `${on.length ? "" : "empty"} ${day === dayOf(new Date()) ? "now" : ""}` }, name, on.length ? element("ul", { class: "events" }, ...on.map((e) => eventButton(e, fresh?.has(e.id)))) : null));
  }
  byID("view").replaceChildren(list);
}

function drawDay(fresh) {
  byID("heading").textContent = format(dateOf(state.day), { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const article = element("article", {}, events.length ? element("ul", { class: "events" }, ...events.map((e) => eventButton(e, fresh?.has(e.id)))) : element("p", {}, word("none")));
  byID("view").replaceChildren(article);
}

function drawEvent(event) {
  byID("heading").textContent = plain(event.title);
  const day = format(dateOf(event.start_date.slice(0, 10)), { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const end = event.end_date.slice(0, 10) === event.start_date.slice(0, 10) ? event.end_date.slice(11, 16) : format(dateOf(event.end_date.slice(0, 10)), { day: "numeric", month: "long" });
  const article = element("article", {}, element("p", {}, element("time", { datetime: event.start_date.replace(" ", "T") }, `${day}, ${time(event)}`), event.all_day ? "" : ` ${word("until")} ${end}`));
  if (event.image) article.append(element("img", { src: event.image.sizes?.medium_large?.url ?? event.image.url, alt: "" }));
  for (const text of paragraphs(event.description)) article.append(element("p", {}, text));
  if (event.cost) article.append(element("p", {}, event.cost));
  const venue = event.venue;
  if (venue?.venue) {
    const where = [venue.address, venue.zip, venue.city, venue.country].filter(Boolean).map(plain).join(", ");
    const map = `https://www.openstreetmap.org/search?${new URLSearchParams({ query: where || plain(venue.venue) })}`;
    article.append(element("p", {}, `${plain(venue.venue)}${where ? `, ${where}` : ""} `, element("a", { href: map, rel: "noreferrer", target: "_blank" }, word("map"))));
  }
  article.append(mayWrite ? editForm(event) : element("p", {}, word("readOnly")));
  byID("view").replaceChildren(article);
}

function editForm(event) {
  const title = element("input", { name: "title", value: plain(event.title), required: true });
  const start = element("input", { name: "start", type: "datetime-local", value: event.start_date.slice(0, 16).replace(" ", "T"), required: true });
  return element("form", { class: "edit", submit: async (e) => {
    e.preventDefault();
    const length = Date.parse(event.end_date.replace(" ", "T")) - Date.parse(event.start_date.replace(" ", "T"));
    const to = new Date(Date.parse(start.value) + length);
    const body = { title: title.value, start_date: `${start.value.replace("T", " ")}:00`, end_date: `${dayOf(to)} ${two(to.getHours())}:${two(to.getMinutes())}:${two(to.getSeconds())}` };
    await show("PUT", `${root(state.language)}/events/${event.id}`, body);
    await renew();
  } }, element("label", {}, word("title"), title), element("label", {}, word("start"), start), element("button", { class: "primary" }, word("save")));
}

// show sends a request, draws what it was answered, and returns the JSON of a good answer.
async function show(method, path, body) {
  byID("address").value = path;
  if ([...byID("method").options].some((o) => o.value === method)) byID("method").value = method;
  try {
    lastAnswer = await ask(method, path, body);
  } catch (error) {
    byID("body").textContent = `${word("failed")}: ${error.message}`;
    return null;
  }
  const a = lastAnswer;
  const facts = [["status", `${method} ${a.status}`], ["time", `${(a.serverMS ?? a.ms).toFixed(2)} ms`], ["size", `${new TextEncoder().encode(a.text).length} B`]];
  if (a.source) facts.push(["source", word(a.source)], ["queries", String(a.queries)]);
  byID("answer").replaceChildren(...facts.map(([name, value]) => element("div", {}, element("dt", {}, word(name)), element("dd", {}, value))));
  byID("headers").textContent = a.headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  let data = null;
  try {
    data = JSON.parse(a.text);
  } catch { /* not JSON */ }
  const text = data === null ? a.text : JSON.stringify(data, null, 2);
  byID("body").textContent = text.length > 60_000 ? `${text.slice(0, 60_000)}\n…` : text;
  drawCode();
  return a.status < 400 ? data : null;
}

function drawCode() {
  byID("tabs").replaceChildren(...Object.keys(programs).map((name) => element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "code", "aria-selected": String(name === program), tabindex: name === program ? "0" : "-1",
    click: () => { program = name; drawCode(); }, keydown: tabKeys }, name)));
  byID("code").setAttribute("aria-labelledby", `tab-${program}`);
  if (lastAnswer) byID("code").textContent = programs[program]({ method: lastAnswer.method, url: new URL(lastAnswer.path, location.href).href, body: lastAnswer.body });
}

function tabKeys(e) {
  const names = Object.keys(programs), at = names.indexOf(program);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  program = names[(to + names.length) % names.length];
  drawCode();
  byID(`tab-${program}`).focus();
}

// listFor is the list of a month or a day.
function listFor() {
  const last = new Date(...state.month.split("-").map(Number), 0);
  const [from, to] = state.day ? [state.day, state.day] : [`${state.month}-01`, dayOf(last)];
  return `${root(state.language)}/events?${new URLSearchParams({ start_date: `${from} 00:00:00`, end_date: `${to} 23:59:59`, per_page: 50 })}`;
}

async function otherPages(data) {
  const all = [...(data?.events ?? [])];
  for (let page = 2; page <= (data?.total_pages ?? 1); page++) all.push(...((await revalidate(`${listPath}&page=${page}`))?.events ?? []));
  return all;
}

let drawing = 0, following = "";

async function draw() {
  const own = ++drawing;
  labels();
  if (following !== state.language) follow(following = state.language, renew);
  byID("news").textContent = word("loading");
  listPath = state.event ? `${root(state.language)}/events/${state.event}` : listFor();
  const data = await show("GET", listPath);
  const list = state.event ? (data ? [data] : []) : await otherPages(data);
  if (own !== drawing) return; // something else is shown by now
  events = list;
  byID("news").textContent = data ? "" : word("failed");
  redraw();
  if (own > 1) byID("heading").focus({ preventScroll: true }); // what had the focus is gone
}

function redraw(fresh) {
  if (state.event && events.length) drawEvent(events[0]);
  else if (state.day) drawDay(fresh);
  else drawMonth(fresh);
}

// renew asks again for what is shown, and draws what has changed.
async function renew() {
  const own = drawing;
  const data = await revalidate(listPath).catch(() => null);
  if (!data || own !== drawing) return;
  const list = state.event ? [data] : await otherPages(data);
  const before = new Map(events.map((e) => [e.id, JSON.stringify(e)]));
  const fresh = new Set(list.filter((e) => before.get(e.id) !== JSON.stringify(e)).map((e) => e.id));
  if (own !== drawing || (!fresh.size && list.length === events.length)) return;
  events = list;
  byID("news").textContent = `${word("changed")}: ${list.filter((e) => fresh.has(e.id)).map((e) => plain(e.title)).join(", ")}`;
  redraw(fresh);
}

byID("previous").addEventListener("click", () => step(-1));
byID("next").addEventListener("click", () => step(1));
byID("today").addEventListener("click", () => go(state.day ? { day: dayOf(new Date()), month: dayOf(new Date()).slice(0, 7) } : { month: dayOf(new Date()).slice(0, 7) }));
byID("back").addEventListener("click", () => go({ day: "", event: 0 }));
byID("request").addEventListener("submit", (e) => { e.preventDefault(); show(byID("method").value, byID("address").value); });
addEventListener("popstate", () => { readAddress(); draw(); });
readAddress();
await draw();
watch(renew);
