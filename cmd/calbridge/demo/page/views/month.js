// A month: whole weeks, with the days of the months before and after.
import { isOn } from "../bars.js";
import { colour } from "../categories.js";
import { FULL_DAY, daysFrom, firstOfMonth, format, lastOfMonth, monday, plusDays, plusMonths } from "../dates.js";
import { element } from "../dom.js";
import { activate, onKey } from "../grid.js";
import { dateButton, dayCells, eventButton, startTime, timedOn } from "./parts.js";

const WEEK = 7;
const MOST_DOTS = 4;

export const month = {
  heading: (language, day) => format(language, day, { month: "long", year: "numeric" }),
  step: plusMonths,

  // range returns the first and the last day that are shown.
  range: (day) => [monday(firstOfMonth(day)), plusDays(monday(lastOfMonth(day)), WEEK - 1)],

  draw(shown) {
    const [first, last] = month.range(shown.day);
    const names = daysFrom(first, WEEK).map((day) => element("div", { role: "columnheader", "aria-label": format(shown.language, day, { weekday: "long" }) }, format(shown.language, day, { weekday: "short" })));
    const grid = element("div", { role: "grid", class: "month", "aria-labelledby": "heading", keydown: onKey(shown.now, plusMonths, shown.move) }, element("div", { role: "row", class: "week names" }, names));
    for (let start = first; start <= last; start = plusDays(start, WEEK)) grid.append(week(shown, daysFrom(start, WEEK)));
    activate(grid, shown.day);
    return grid;
  },
};

function week(shown, days) {
  const cells = dayCells(shown, days, (day, lanes) => [
    dateButton(shown, day, format(shown.language, day, FULL_DAY), element("span", { class: "number" }, String(Number(day.slice(8)))), dots(shown, day)),
    ...lanes,
    ...timedOn(shown.events, day).map((event) => eventButton(shown, event, "timed", startTime(shown, event))),
  ]);
  for (const cell of cells) cell.classList.toggle("other", cell.dataset.day.slice(0, 7) !== shown.day.slice(0, 7));
  return element("div", { role: "row", class: "week" }, cells);
}

// dots stand for events where there is no room for titles.
function dots(shown, day) {
  const on = shown.events.filter((event) => isOn(event, day)).slice(0, MOST_DOTS);
  return element("span", { class: "dots", "aria-hidden": "true" }, on.map((event) => element("i", { class: colour(event) })));
}
