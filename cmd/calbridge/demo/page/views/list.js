// Lists of events below days: of a month, of one day, and of what a search finds.
import { isOn } from "../bars.js";
import { FULL_DAY, countDays, daysFrom, firstDay, firstOfMonth, format, formatSpan, lastOfMonth, plusDays, plusMonths, today } from "../dates.js";
import { element, plain } from "../dom.js";
import { eventButton } from "./parts.js";

export const list = {
  heading: (language, day) => format(language, day, { month: "long", year: "numeric" }),
  step: plusMonths,
  range: (day) => [firstOfMonth(day), lastOfMonth(day)],
  draw: (shown) => drawDays(shown, daysFrom(firstOfMonth(shown.day), countDays(...list.range(shown.day)))),
};

export const day = {
  heading: (language, day) => format(language, day, FULL_DAY),
  step: plusDays,
  range: (day) => [day, day],
  draw: (shown) => (shown.events.length ? entries(shown, shown.events) : element("p", { class: "empty" }, shown.word("none"))),
};

// drawDays lists events below the first of the days on which they take place. Days without
// events are left out, but today. empty lists all days, repeat lists events below each of theirs,
// year is the format of the year.
export function drawDays(shown, days, { empty = false, repeat = false, year } = {}) {
  const within = (event) => (firstDay(event) > days[0] ? firstDay(event) : days[0]);
  const box = element("div", { class: "days" });
  for (const day of days) {
    const on = shown.events.filter((event) => (repeat ? isOn(event, day) : isOn(event, day) && within(event) === day));
    if (!on.length && !empty && day !== today()) continue;
    const now = day === today();
    const name = element("button", { type: "button", class: "date", "data-date": day, "aria-current": now && "date", click: () => shown.openDay(day) }, format(shown.language, day, { weekday: "long", day: "numeric", month: "long", year }));
    box.append(element("h3", { class: now ? "now" : "" }, name), on.length ? entries(shown, on) : element("p", { class: "empty" }, shown.word("none")));
  }
  return box;
}

// drawFound lists what a search found, by its first day.
export function drawFound(shown) {
  if (!shown.events.length) return element("p", { class: "empty" }, shown.word("nothing"));
  return drawDays(shown, [...new Set(shown.events.map(firstDay))].sort(), { year: "numeric" });
}

function entries(shown, events) {
  return element("ul", { class: "entries" }, events.map((event) => {
    const button = eventButton(shown, event, "entry", formatSpan(shown.language, event, shown.word("allDay")));
    if (event.venue?.venue) button.append(element("span", { class: "venue" }, plain(event.venue.venue)));
    return element("li", {}, button);
  }));
}
