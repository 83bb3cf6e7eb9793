// Days are strings such as 2026-11-28, times such as 2026-11-28 19:00:00, as in the API. All
// calculations are in UTC, where each day has 24 hours.
import { settings } from "./api.js";

const ZONE = "Europe/Prague"; // the town's
const LOCALES = { cs: "cs", en: "en-GB", de: "de" };

const utc = (time) => new Date(time.length === 10 ? `${time}T00:00:00Z` : `${time.replace(" ", "T")}Z`);
const dayOf = (date) => date.toISOString().slice(0, 10);

// The server's clock counts, not the browser's: the sample's events take place around its time.
const ahead = Date.parse(settings.now) - Date.now();

// today returns the day that it is in the town.
export const today = () => new Intl.DateTimeFormat("sv", { timeZone: ZONE }).format(Date.now() + ahead);

export function plusDays(day, n) {
  const date = utc(day);
  date.setUTCDate(date.getUTCDate() + n);
  return dayOf(date);
}

// plusMonths returns the same day of another month, or the last one if that is shorter.
export function plusMonths(day, n) {
  const first = utc(firstOfMonth(day));
  first.setUTCMonth(first.getUTCMonth() + n);
  const last = lastOfMonth(dayOf(first));
  return `${last.slice(0, 8)}${day.slice(8) > last.slice(8) ? last.slice(8) : day.slice(8)}`;
}

export const firstOfMonth = (day) => `${day.slice(0, 8)}01`;

export function lastOfMonth(day) {
  const date = utc(firstOfMonth(day));
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return dayOf(date);
}

// Weeks begin on Monday.
export const monday = (day) => plusDays(day, -((utc(day).getUTCDay() + 6) % 7));

// daysFrom returns n days.
export const daysFrom = (first, n) => Array.from({ length: n }, (_, i) => plusDays(first, i));

// countDays returns the number of days from first to last, including both.
export const countDays = (first, last) => Math.round((utc(last) - utc(first)) / 86_400_000) + 1;

export const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(utc(text).getTime()) && dayOf(utc(text)) === text;

// plusTime returns a time as far after `time` as `end` is after `start`.
export const plusTime = (time, start, end) => new Date(utc(time).getTime() + (utc(end) - utc(start))).toISOString().slice(0, 19).replace("T", " ");

const formatter = (language, options) => new Intl.DateTimeFormat(LOCALES[language], { timeZone: "UTC", ...options });

// format returns a day or a time in a language.
export const format = (language, time, options) => formatter(language, options).format(utc(time));

// formatDays returns the days from first to last in a language.
export const formatDays = (language, first, last, options) => formatter(language, options).formatRange(utc(first), utc(last));

export const CLOCK = { timeStyle: "short" };
export const FULL_DAY = { weekday: "long", day: "numeric", month: "long", year: "numeric" };
const SHORT_DAY = { day: "numeric", month: "long" };

// firstDay and lastDay return the days of an event. One that ends at midnight ends on the day
// before.
export const firstDay = (event) => event.start_date.slice(0, 10);
export function lastDay(event) {
  const last = event.end_date.slice(0, 10);
  return event.end_date.endsWith("00:00:00") && last > firstDay(event) ? plusDays(last, -1) : last;
}

// isLong reports whether an event is shown as a bar: it lasts whole days, or for a day at least.
export const isLong = (event) => event.all_day || utc(event.end_date) - utc(event.start_date) >= 86_400_000;

// formatSpan returns the dates and times of an event: in full, or as short as a list has them
// below a day.
export function formatSpan(language, event, allDay, full) {
  if (event.all_day) {
    const days = formatDays(language, firstDay(event), lastDay(event), full ? FULL_DAY : SHORT_DAY);
    if (firstDay(event) !== lastDay(event)) return days;
    return full ? `${days}, ${allDay}` : allDay;
  }
  const dates = full ? { dateStyle: "full" } : isLong(event) && { dateStyle: "medium" };
  return formatter(language, { ...dates, ...CLOCK }).formatRange(utc(event.start_date), utc(event.end_date));
}
