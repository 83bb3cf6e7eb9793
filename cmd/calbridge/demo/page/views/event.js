// One event, with a form to change it.
import { mayWrite } from "../api.js";
import { colour } from "../categories.js";
import { formatSpan, plusTime } from "../dates.js";
import { element, paragraphs, plain } from "../dom.js";

// drawEvent draws an event. save is called with the fields that were changed.
export function drawEvent({ language, word }, event, save) {
  const facts = [
    ["when", element("time", { datetime: event.start_date.replace(" ", "T") }, formatSpan(language, event, word("allDay"), true))],
    ["where", where(event.venue, word)],
    ["organizer", [event.organizer ?? []].flat().map(contact)],
    ["cost", cost(event)],
    ["categories", names(event.categories)],
    ["tags", names(event.tags)],
    ["website", event.website && link(event.website)],
  ].filter(([, value]) => [value ?? ""].flat().some(Boolean));
  const image = event.image && element("img", { src: event.image.sizes?.medium_large?.url ?? event.image.url, alt: "" });
  return element("article", { class: colour(event) },
    event.excerpt && element("p", { class: "lead" }, plain(event.excerpt)),
    element("dl", { class: "facts" }, facts.map(([name, value]) => element("div", {}, element("dt", {}, word(name)), element("dd", {}, value)))),
    image,
    paragraphs(event.description).map((text) => element("p", {}, text)),
    element("p", {}, element("a", { id: "add", class: "button", href: `${new URL(event.url).pathname}?ical=1`, download: `${event.slug}.ics` }, word("addTo"))),
    mayWrite ? editForm(event, word, save) : element("p", {}, word("readOnly")));
}

const names = (terms) => (terms ?? []).map((term) => plain(term.name)).join(", ");

// link returns a link to another site, or the text if it is not the address of a page.
const link = (url) => (/^https?:/.test(url) ? away(url) : url);
const away = (url) => element("a", { href: url, rel: "noreferrer", target: "_blank" }, url.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, ""));

// cost puts a space between a number and a currency that have none.
const cost = (event) => plain(event.cost).replace(/(\d)(\p{L})/gu, "$1\u00a0$2");

function where(venue, word) {
  if (!venue?.venue) return null;
  const address = [venue.address, [venue.zip, venue.city].filter(Boolean).join(" "), venue.country].filter(Boolean).map(plain).join(", ");
  const map = `https://www.openstreetmap.org/search?${new URLSearchParams({ query: address || plain(venue.venue) })}`;
  return [[plain(venue.venue), address].filter(Boolean).join(", "), " ", element("a", { href: map, rel: "noreferrer", target: "_blank" }, word("map"))];
}

function contact(organizer) {
  return element("span", { class: "contact" }, plain(organizer.organizer), organizer.phone && ` · ${organizer.phone}`, organizer.website && [" · ", link(organizer.website)]);
}

function editForm(event, word, save) {
  const title = element("input", { id: "edit-title", name: "title", value: plain(event.title), required: true });
  const start = element("input", { id: "edit-start", name: "start", type: "datetime-local", value: event.start_date.slice(0, 16).replace(" ", "T"), required: true });
  const submit = (e) => {
    e.preventDefault();
    const begins = `${start.value.replace("T", " ")}:00`;
    save({ title: title.value, start_date: begins, end_date: plusTime(begins, event.start_date, event.end_date) });
  };
  return element("details", { class: "edit", open: true }, element("summary", {}, word("edit")),
    element("form", { class: "edit", submit }, element("label", {}, word("title"), title), element("label", {}, word("start"), start), element("button", { id: "save", class: "primary" }, word("save"))));
}
