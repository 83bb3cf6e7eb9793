/* Reads a feed with libical and prints a line of JSON for each event. */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void text(const char *name, const char *s, const char *end)
{
    printf("\"%s\":\"", name);
    for (; s && *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < ' ') {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    printf("\"%s", end);
}

static void at(const char *name, icaltimetype t)
{
    if (!t.is_date) {
        t = icaltime_convert_to_zone(t, icaltimezone_get_utc_timezone());
    }
    text(name, icaltime_as_ical_string(t), ",");
}

/* libical 3.0 doesn't know the property of RFC 9073 and marks it; the rest of the event stays. */
static int unknown(icalcomponent *calendar)
{
    int n = 0;
    icalcomponent *e = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT);
    for (; e; e = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
        icalproperty *p = icalcomponent_get_first_property(e, ICAL_XLICERROR_PROPERTY);
        for (; p; p = icalcomponent_get_next_property(e, ICAL_XLICERROR_PROPERTY)) {
            n += strcmp(icalproperty_get_xlicerror(p), "Parse error in property name: STYLED-DESCRIPTION") == 0;
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!f) {
        return 2;
    }
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *all = calloc(1, (size_t)size + 1);
    if (fread(all, 1, (size_t)size, f) != (size_t)size) {
        return 2;
    }
    icalcomponent *calendar = icalparser_parse_string(all);
    if (!calendar || icalcomponent_count_errors(calendar) > unknown(calendar)) {
        fprintf(stderr, "%d errors\n", calendar ? icalcomponent_count_errors(calendar) : -1);
        return 1;
    }
    icalcomponent *e = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT);
    for (; e; e = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
        icaltimetype start = icalcomponent_get_dtstart(e);
        icalproperty *end = icalcomponent_get_first_property(e, ICAL_DTEND_PROPERTY);
        icalproperty *status = icalcomponent_get_first_property(e, ICAL_STATUS_PROPERTY);
        putchar('{');
        text("uid", icalcomponent_get_uid(e), ",");
        at("start", start);
        at("end", end ? icalcomponent_get_dtend(e) : start);
        text("summary", icalcomponent_get_summary(e), ",");
        text("description", icalcomponent_get_description(e), ",");
        text("location", icalcomponent_get_location(e), ",");
        text("status", status ? icalproperty_get_value_as_string(status) : "", "}\n");
    }
    return 0;
}
