// Bars of long events in a week: each has a lane, so that none covers another.
import { countDays, firstDay, isLong, lastDay } from "./dates.js";

// barsOf returns the bars in a week: { event, from, to, length, lane, before, after }. before and
// after report that the event goes on outside the week.
export function barsOf(events, days) {
  const [monday, sunday] = [days[0], days.at(-1)];
  const taken = []; // the last day of each lane that has a bar
  const bars = [];
  const long = events.filter((event) => isLong(event) && firstDay(event) <= sunday && lastDay(event) >= monday);
  long.sort((a, b) => firstDay(a).localeCompare(firstDay(b)) || lastDay(b).localeCompare(lastDay(a)) || a.id - b.id);
  for (const event of long) {
    const before = firstDay(event) < monday, after = lastDay(event) > sunday;
    const from = before ? monday : firstDay(event), to = after ? sunday : lastDay(event);
    let lane = taken.findIndex((day) => day < from);
    if (lane < 0) lane = taken.length;
    taken[lane] = to;
    bars.push({ event, from, to, length: countDays(from, to), lane, before, after });
  }
  return bars;
}

// lanesOf returns what a day has in each lane: a bar that begins, true for one that goes on, or
// nothing.
export function lanesOf(bars, day) {
  const lanes = [];
  for (const bar of bars) {
    if (bar.from <= day && day <= bar.to) lanes[bar.lane] = bar.from === day ? bar : true;
  }
  return Array.from(lanes);
}

// isOn reports whether an event takes place on a day.
export const isOn = (event, day) => firstDay(event) <= day && lastDay(event) >= day;
