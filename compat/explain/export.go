package explain

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// calendarType is the media type of iCalendar exports.
const calendarType = "text/calendar"

// property is a content line of an iCalendar export.
type property struct {
	name, params, value string
	// broken reports that a line end inside the value was replaced by a blank.
	broken bool
}

// exported is an iCalendar export.
type exported struct {
	head   []property
	zones  map[string][]string // contents by TZID; a zone that is described twice has two
	events []exportedEvent
}

// exportedEvent is an event of an export. No property occurs twice.
type exportedEvent struct {
	id, uid    string
	properties map[string]property
}

// propertyOrder is the order in which The Events Calendar writes the properties of an event.
var propertyOrder = []string{"DTSTART", "DTEND", "DTSTAMP", "CREATED", "LAST-MODIFIED", "UID", "SUMMARY", "DESCRIPTION", "URL", "LOCATION", "CATEGORIES", "ATTACH", "ORGANIZER", "END"}

// readExport parses an export. In that of the reference, lines of an event that are no
// properties, or not in their order, belong to the line before (known difference S16).
func readExport(body string) (*exported, bool) {
	e := &exported{zones: map[string][]string{}}
	body = strings.ReplaceAll(body, "\r\n ", "") // folded
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimSuffix(body, "\r\n")), "\n")
	for i := 0; i < len(lines); i++ {
		switch lines[i] {
		case "BEGIN:VTIMEZONE":
			end := slices.Index(lines[i:], "END:VTIMEZONE")
			if end < 2 {
				return nil, false
			}
			e.zones[lines[i+1]] = append(e.zones[lines[i+1]], strings.Join(lines[i+2:i+end], "\n"))
			i += end
		case "BEGIN:VEVENT":
			end := slices.Index(lines[i:], "END:VEVENT")
			event, ok := readEvent(lines[i+1 : max(i+1, i+end)])
			if end < 0 || !ok {
				return nil, false
			}
			e.events = append(e.events, event)
			i += end
		default:
			e.head = append(e.head, readProperty(lines[i]))
		}
	}
	last := len(e.head) - 1
	return e, last > 0 && e.head[0].value == "VCALENDAR" && e.head[last].name == "END"
}

func readProperty(line string) property {
	at := strings.IndexAny(line, ";:")
	if at < 0 {
		return property{value: line}
	}
	p, quoted := property{name: line[:at]}, false
	for i := at; i < len(line); i++ {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == ':' && !quoted:
			p.params, p.value = line[at:i], line[i+1:]
			return p
		}
	}
	return property{value: line}
}

func readEvent(lines []string) (exportedEvent, bool) {
	e, name := exportedEvent{properties: map[string]property{}}, ""
	for _, line := range lines {
		p := readProperty(line)
		place := slices.Index(propertyOrder, p.name)
		if name != "" && place <= slices.Index(propertyOrder, name) {
			before := e.properties[name]
			before.value, before.broken = before.value+" "+line, true
			e.properties[name] = before
			continue
		}
		if place < 0 {
			return e, false
		}
		name = p.name
		e.properties[name] = p
	}
	e.uid = e.properties["UID"].value
	e.id, _, _ = strings.Cut(e.uid, "-")
	return e, e.uid != ""
}

// export names the causes of differences between two exports, if these account for all of them.
func (x *explaining) export(ctx context.Context) {
	inBody := func(d diff.Difference) bool { return d.Part == diff.PartBody || d.Where == "content-disposition" }
	if !x.Level.Safe() || !isExport(x.Recorded) || !isExport(x.Got) || !slices.ContainsFunc(x.found, inBody) {
		return
	}
	recorded, okRecorded := readExport(x.Recorded.Body)
	got, okGot := readExport(x.Got.Body)
	e := &exporting{explaining: x, recorded: recorded, got: got}
	if !okRecorded || !okGot || !e.sameHead() || !e.sameEvents(ctx) || !e.sameZones() || len(e.found) == 0 {
		return
	}
	if slices.ContainsFunc(x.found, func(d diff.Difference) bool { return d.Where == "content-disposition" }) && e.hidden == "" {
		return // the name of the file depends on which events are in it
	}
	x.found = slices.DeleteFunc(x.found, inBody)
	x.causes = append(x.causes, e.found...)
}

// isExport reports whether an answer is an iCalendar export.
func isExport(r recording.Response) bool {
	return r.Status == 200 && strings.HasPrefix(r.Header("content-type"), calendarType)
}

// exporting is the explanation of two exports in progress.
type exporting struct {
	*explaining
	recorded, got *exported
	found         []diff.Difference
	hidden        string // the known difference that hides events, "" for none
}

// because adds a cause, once, and returns true.
func (e *exporting) because(name, where, recorded, got string) bool {
	if !slices.ContainsFunc(e.found, func(d diff.Difference) bool { return d.Cause.Name == name && d.Where == where }) {
		e.found = append(e.found, diff.Difference{Part: diff.PartBody, Level: diff.LevelSemantic, Where: where, Recorded: diff.Head(recorded, 200), Got: diff.Head(got, 200), Cause: causeOf(name)})
	}
	return true
}

// sameHead reports whether the lines about the calendar are the same, or mean the same.
func (e *exporting) sameHead() bool {
	if len(e.recorded.head) != len(e.got.head) {
		return false
	}
	for i, p := range e.recorded.head {
		if have := e.got.head[i]; p != have && (p.name != have.name || !e.sameText(p, have)) {
			return false
		}
	}
	if e.Level == Fixed && strings.HasSuffix(e.Got.Body, "\r\n") && !strings.HasSuffix(e.Recorded.Body, "\r\n") {
		e.because("F9", "END:VCALENDAR", "the last line has no end", "the last line ends")
	}
	return true
}

// sameEvents reports whether the target has the recorded events that the login may read, and
// behind them at most as many as are hidden.
func (e *exporting) sameEvents(ctx context.Context) bool {
	hidden, rest := 0, e.got.events
	for _, event := range e.recorded.events {
		if len(rest) > 0 && rest[0].uid == event.uid {
			if !e.sameEvent(ctx, event, rest[0]) {
				return false
			}
			rest = rest[1:]
			continue
		}
		r := e.asVisitor(ctx, "events", event.id)
		if !r.refused {
			return false
		}
		hidden++
		e.hidden = r.number("events")
		if !e.byVisitor() {
			e.hidden = "S9"
		}
		e.because(e.hidden, "VEVENT", "also "+event.id, "refused to this login by itself")
	}
	return len(rest) <= hidden
}

// byVisitor reports whether the export was requested without a login.
func (e *exporting) byVisitor() bool { return e.As == recording.Anonymous && !hasCredentials(e.Sent) }

// asVisitor returns how the target answers for an entry. Exports know users by their cookies
// alone, with which the API does not answer: of a user's request only what is refused to everybody
// counts, and what a search finds behind a password.
func (e *exporting) asVisitor(ctx context.Context, kind, id string) refusal {
	r := e.refuses(ctx, kind, id)
	r.refused = r.refused && (e.byVisitor() || r.missing || strings.Contains(r.code, "password") && searches(e.Sent))
	return r
}

// searches reports whether a request for an export searches.
func searches(r recording.Request) bool {
	_, query, _ := strings.Cut(r.Path, "?")
	pairs := recording.ParsePairs(query)
	return slices.ContainsFunc([]string{"tribe-bar-search", "search", "s"}, func(name string) bool { return pairs.Get(name) != "" })
}

// sameEvent reports whether an event has the same properties, apart from known differences.
func (e *exporting) sameEvent(ctx context.Context, recorded, got exportedEvent) bool {
	for _, name := range propertyOrder {
		want, has := recorded.properties[name]
		have, shown := got.properties[name]
		switch {
		case have.broken || shown && !has:
			return false
		case want == have:
		case shown && want.broken && want.params == have.params && (want.value == have.value || e.sameText(want, have)):
			e.because("S16", name, "a line end inside", "a blank instead")
		case e.sameProperty(ctx, recorded, want, have, shown):
		default:
			return false
		}
	}
	return true
}

// sameProperty reports whether a known difference accounts for another form of a property, or for
// one that the target lacks.
func (e *exporting) sameProperty(ctx context.Context, event exportedEvent, want, have property, shown bool) bool {
	fixed := e.Level == Fixed
	switch want.name {
	case "LOCATION":
		if fixed && !shown && e.elsewhere(event.id, want) && e.venueless(ctx, event.id) {
			return e.because("F11", want.name, want.value, "no region of another event's venue")
		}
		if (!shown || e.elsewhere(event.id, have)) && e.linksHidden(ctx, event.id, want.value, linkedKinds[0]) {
			return e.because("S9", want.name, want.value, "refused to this login by itself")
		}
	case "ORGANIZER":
		if !shown && e.linksHidden(ctx, event.id, organizerName(want), linkedKinds[1]) {
			return e.because("S9", want.name, want.value, "refused to this login by itself")
		}
		if fixed && shown && sameOrganizer(want, have) || fixed && !shown && strings.ContainsAny(address(want), " &?%`") {
			return e.because("F9", want.name, want.params+":"+want.value, have.params+":"+have.value)
		}
	case "DTSTART", "DTEND":
		return fixed && e.sameDate(event, want, have, shown)
	case "URL", "ATTACH":
		if fixed && (!shown && want.value == "" || shown && want.value == have.value) {
			return e.because("F9", want.name, want.params+":"+want.value, have.params+":"+have.value)
		}
	}
	return shown && e.sameText(want, have)
}

// elsewhere reports whether the reference shows a location with another event as well: the region
// that stands in for a missing venue.
func (e *exporting) elsewhere(id string, p property) bool {
	return slices.ContainsFunc(e.recorded.events, func(other exportedEvent) bool {
		location := other.properties["LOCATION"].value
		return other.id != id && location != "" && (location == p.value || strings.Contains(location, p.value))
	})
}

// linksHidden reports whether the venue or organizer of that name is hidden: the target shows the
// event with others only, and refuses those of the recordings that it does not show.
func (e *exporting) linksHidden(ctx context.Context, event, name string, kind linkedKind) bool {
	items, ok := e.shown(ctx, event, kind)
	if !ok || e.Listed == nil || !e.Listed().seen[[2]string{"events", event}] {
		return false
	}
	var ids []string
	for _, item := range items {
		if own := plainText(item.Member(kind.member).Text()); own != "" && strings.HasPrefix(plainText(name), own) || item.Member("id") == nil {
			return false
		}
		ids = append(ids, item.Member("id").Plain())
	}
	return !slices.ContainsFunc(e.Listed().linked(event, kind.kind), func(id string) bool {
		return !slices.Contains(ids, id) && !e.asVisitor(ctx, kind.kind, id).refused
	})
}

// shown returns the venues or organizers with which the target shows an event to visitors. It
// returns false if the target does not show the event.
func (e *exporting) shown(ctx context.Context, event string, kind linkedKind) ([]*jsontree.Node, bool) {
	if e.Ask == nil || e.As != recording.Anonymous {
		return nil, false
	}
	answer, err := e.get(ctx, "/events/"+event)
	if err != nil || answer.Status != 200 {
		return nil, false
	}
	root, err := jsontree.Parse(answer.Body)
	linked := root.Member(kind.member)
	return linkedItems(linked), err == nil && linked != nil
}

// venueless reports whether neither the target nor the recordings show a visitor a venue of an event.
func (e *exporting) venueless(ctx context.Context, event string) bool {
	kind := linkedKinds[0]
	items, ok := e.shown(ctx, event, kind)
	ok = ok || e.asVisitor(ctx, "events", event).refused // behind a password
	return ok && len(items) == 0 && (e.Listed == nil || len(e.Listed().linked(event, kind.kind)) == 0)
}

// sameText reports whether two texts differ only in escapes, entities and quotes, which only the
// level fixed writes by RFC 5545.
func (e *exporting) sameText(want, have property) bool {
	return e.Level == Fixed && want.params == have.params && plainText(want.value) == plainText(have.value) &&
		e.because("F9", want.name, want.value, have.value)
}

// plainText removes escapes and control characters from a text.
func plainText(s string) string {
	s = html.UnescapeString(strings.NewReplacer(`\n`, " ", `\N`, " ", `\`, "").Replace(s))
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7F {
			return -1
		}
		return c
	}, s)
}

// address returns the e-mail address of an organizer.
func address(p property) string {
	_, address, _ := strings.Cut(p.value, ":")
	return html.UnescapeString(address)
}

// organizerName returns the name of an organizer without tags.
func organizerName(p property) string {
	name := strings.Trim(strings.TrimPrefix(p.params, ";CN="), `"`)
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	return strings.ReplaceAll(plainText(tag.ReplaceAllString(name, "")), `"`, "'")
}

// tag matches a tag of HTML.
var tag = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)

// sameOrganizer reports whether two organizers have the same name and address.
func sameOrganizer(want, have property) bool {
	return organizerName(want) == organizerName(have) && strings.TrimSpace(address(want)) == address(have)
}

// sameDate reports whether a start or an end is the same in the form of RFC 5545.
func (e *exporting) sameDate(event exportedEvent, want, have property, shown bool) bool {
	const date = "20060102"
	zone := strings.TrimPrefix(want.params, ";TZID=")
	day, _, timed := strings.Cut(want.value, "T")
	switch {
	case !shown && want.value < event.properties["DTSTART"].value:
		return e.because("F9", want.name, want.value, "before the start")
	case timed && have.value == want.value && have.params == ";TZID="+strings.ReplaceAll(zone, ":", ""), zone == "UTC" && have.params == "" && have.value == want.value+"Z":
		return e.because("F9", want.name, want.params+":"+want.value, have.params+":"+have.value)
	case timed && have.params == ";VALUE=DATE":
		at, err := time.Parse(date, day)
		if want.name == "DTEND" {
			at = at.AddDate(0, 0, 1)
		}
		return err == nil && at.Format(date) == have.value && e.because("F11", want.name, want.value, "a date without a time")
	}
	return false
}

// sameZones reports whether zones are described in the same way. Those of hidden events are not
// described. Under fixed, each zone that a date names must be described once.
func (e *exporting) sameZones() bool {
	same := fmt.Sprint(e.recorded.zones) == fmt.Sprint(e.got.zones)
	if same || e.Level != Fixed {
		return same || e.hidden != ""
	}
	named := map[string]bool{}
	for _, event := range e.got.events {
		for _, name := range propertyOrder[:2] {
			if zone, found := strings.CutPrefix(event.properties[name].params, ";TZID="); found {
				named["TZID:"+zone] = true
			}
		}
	}
	for zone, described := range e.got.zones {
		if !named[zone] || len(described) != 1 {
			return false
		}
	}
	return len(named) == len(e.got.zones) && e.because("F10", "VTIMEZONE", "onsets in UTC", "described once, with local onsets")
}
