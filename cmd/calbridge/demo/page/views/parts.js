// What several views have in common: buttons of events and of days.
import { barsOf, isOn, lanesOf } from "../bars.js";
import { colour } from "../categories.js";
import { CLOCK, firstDay, format, formatSpan, isLong, today } from "../dates.js";
import { element, plain } from "../dom.js";

// A view gets what it shows: { language, word, day, events, fresh, open, openDay, now, move }.
// fresh holds the ids of events that have just changed; open and openDay go to an event or a day;
// now returns the active day of a grid, and move goes to another by the keyboard.

const eventClass = (kind, shown, event) => `event ${kind} ${colour(event)}${shown.fresh?.has(event.id) ? " new" : ""}`;

// eventButton returns a button with the time and the title of an event.
export function eventButton(shown, event, kind, time) {
  return element("button", { type: "button", class: eventClass(kind, shown, event), "data-event": event.id, click: () => shown.open(event.id) }, time && [element("time", { datetime: event.start_date.replace(" ", "T") }, time), " "], plain(event.title));
}

export const startTime = (shown, event) => format(shown.language, event.start_date, CLOCK);

function barButton(shown, bar) {
  const button = eventButton(shown, bar.event, `bar${bar.before ? " before" : ""}${bar.after ? " after" : ""}`);
  button.append(element("span", { class: "unseen" }, `, ${formatSpan(shown.language, bar.event, shown.word("allDay"))}`));
  button.style.setProperty("--days", bar.length);
  return button;
}

// about returns what a day's button adds for screen readers: that it is today, and the number of
// its events.
function about(shown, day) {
  const count = shown.events.filter((event) => isOn(event, day)).length;
  const forms = shown.word("events");
  return [day === today() && shown.word("today"), `${count} ${forms[new Intl.PluralRules(shown.language).select(count)] ?? forms.other}`].filter(Boolean).join(", ");
}

// dateButton returns the button of a day. Where the date that it shows is only a number, name is
// the date in full.
export function dateButton(shown, day, name, ...children) {
  const button = element("button", { type: "button", class: "date", "aria-current": day === today() && "date", click: () => shown.openDay(day) }, ...children);
  if (name) button.setAttribute("aria-label", `${name}, ${about(shown, day)}`);
  else button.append(element("span", { class: "unseen" }, `, ${about(shown, day)}`));
  return button;
}

// dayCells returns the cells of a week: dates, bars, and what more draws below them.
export function dayCells(shown, days, more) {
  const bars = barsOf(shown.events, days);
  return days.map((day) => {
    const lanes = lanesOf(bars, day).map((bar) => (bar?.event ? barButton(shown, bar) : element("span", { class: "lane", "aria-hidden": "true" })));
    return element("div", { role: "gridcell", class: day === today() ? "day now" : "day", "data-day": day }, ...more(day, lanes));
  });
}

// timedOn returns the events that begin on a day and are not shown as bars.
export const timedOn = (events, day) => events.filter((event) => !isLong(event) && firstDay(event) === day);
