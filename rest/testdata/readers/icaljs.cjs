// Reads a feed with npm's ical.js and prints a line of JSON for each event.
const ICAL = require('ical.js').default || require('ical.js');
const text = require('fs').readFileSync(process.argv[2], 'utf8');
const calendar = new ICAL.Component(ICAL.parse(text));
for (const zone of calendar.getAllSubcomponents('vtimezone')) {
  ICAL.TimezoneService.register(new ICAL.Timezone(zone));
}
const digits = (n, count) => String(n).padStart(count, '0');
const day = (t) => digits(t.year, 4) + digits(t.month, 2) + digits(t.day, 2);
const at = (t) => {
  if (t.isDate) return day(t);
  const u = t.convertToZone(ICAL.Timezone.utcTimezone);
  return `${day(u)}T${digits(u.hour, 2)}${digits(u.minute, 2)}${digits(u.second, 2)}Z`;
};
for (const component of calendar.getAllSubcomponents('vevent')) {
  const event = new ICAL.Event(component);
  const end = component.getFirstPropertyValue('dtend');
  console.log(JSON.stringify({
    uid: event.uid, start: at(event.startDate), end: at(end ? event.endDate : event.startDate), summary: event.summary || '',
    description: event.description || '', location: event.location || '', status: component.getFirstPropertyValue('status'),
  }));
}
