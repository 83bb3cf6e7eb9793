"""Reads a feed with Debian's python3-icalendar and prints a line of JSON for each event."""
import datetime
import json
import sys

import icalendar


def at(value):
    if not isinstance(value, datetime.datetime):
        return "%04d%02d%02d" % (value.year, value.month, value.day)
    t = value.astimezone(datetime.timezone.utc)
    return "%04d%02d%02dT%02d%02d%02dZ" % (t.year, t.month, t.day, t.hour, t.minute, t.second)


with open(sys.argv[1], "rb") as f:
    calendar = icalendar.Calendar.from_ical(f.read())
for event in calendar.walk("VEVENT"):
    start = event["DTSTART"].dt
    print(json.dumps({
        "uid": str(event["UID"]), "start": at(start), "end": at(event["DTEND"].dt if "DTEND" in event else start),
        "summary": str(event.get("SUMMARY", "")), "description": str(event.get("DESCRIPTION", "")),
        "location": str(event.get("LOCATION", "")), "status": str(event["STATUS"]),
    }))
