// A week: bars of long events above hours with the others. Where there is no room for seven
// columns, it is a list of all seven days.
import { CLOCK, daysFrom, firstDay, format, formatDays, lastDay, monday, plusDays } from "../dates.js";
import { element, plain } from "../dom.js";
import { activate, onKey } from "../grid.js";
import { drawDays } from "./list.js";
import { dateButton, dayCells, eventButton, startTime, timedOn } from "./parts.js";

const WEEK = 7, HOUR = 60, DAY = 24 * HOUR; // in days and minutes
const [OPENS, CLOSES] = [8, 20]; // hours that are always shown
const SHORTEST = 40; // minutes that an event takes at least, so that its title fits

export const narrow = matchMedia("(max-width: 759px)");

export const week = {
  heading: (language, day) => formatDays(language, ...week.range(day), { day: "numeric", month: "long", year: "numeric" }),
  step: (day, n) => plusDays(day, n * WEEK),
  range: (day) => [monday(day), plusDays(monday(day), WEEK - 1)],

  draw(shown) {
    const days = daysFrom(monday(shown.day), WEEK);
    if (narrow.matches) return drawDays(shown, days, { empty: true, repeat: true });
    const columns = days.map((day) => place(shown.events, day));
    const opens = Math.min(OPENS, ...columns.flat().map((at) => Math.floor(at.start / HOUR)));
    const closes = Math.max(CLOSES, ...columns.flat().map((at) => Math.ceil(at.end / HOUR)));
    const top = dayCells(shown, days, (day, lanes) => [dateButton(shown, day, "", element("span", { class: "number" }, format(shown.language, day, { weekday: "short", day: "numeric", month: "numeric" }))), ...lanes]);
    const hours = element("div", { class: "hours", "aria-hidden": "true" });
    for (let hour = opens; hour < closes; hour++) hours.append(element("span", {}, format(shown.language, `2000-01-01 ${String(hour).padStart(2, "0")}:00:00`, CLOCK)));
    const grid = element("div", { role: "grid", class: "weekly", "aria-labelledby": "heading", keydown: onKey(shown.now, week.step, shown.move) },
      element("div", { role: "row", class: "week" }, element("div", { "aria-hidden": "true" }), top),
      element("div", { role: "row", class: "week" }, hours, days.map((day, i) => element("div", { role: "gridcell", class: "column", "data-day": day }, columns[i].map((at) => block(shown, at, opens))))));
    grid.style.setProperty("--hours", closes - opens);
    activate(grid, shown.day);
    return grid;
  },
};

// place returns the events of a day as { event, start, end, column, columns }, in minutes of the
// day. Events at the same time have columns beside each other.
function place(events, day) {
  const minutes = (time) => Number(time.slice(11, 13)) * HOUR + Number(time.slice(14, 16));
  const placed = [];
  let group = [], until = 0; // events that overlap, and when the last of them ends
  for (const event of timedOn(events, day)) {
    const start = minutes(event.start_date);
    const end = Math.max(lastDay(event) > firstDay(event) ? DAY : minutes(event.end_date) || DAY, start + SHORTEST);
    if (start >= until) group = [];
    let column = group.findIndex((last) => last <= start);
    if (column < 0) column = group.length;
    group[column] = end;
    until = Math.max(...group);
    placed.push({ event, start, end: Math.min(end, DAY), column, group });
  }
  return placed;
}

function block(shown, { event, start, end, column, group }, opens) {
  const button = eventButton(shown, event, "block", startTime(shown, event));
  if (event.venue?.venue) button.append(element("span", { class: "venue" }, plain(event.venue.venue)));
  const style = { "--start": start / HOUR - opens, "--length": (end - start) / HOUR, "--column": column, "--columns": group.length };
  for (const [name, value] of Object.entries(style)) button.style.setProperty(name, value);
  return button;
}
