package fragment

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Names in iCalendar exports.
const (
	calendarComponent = "VCALENDAR"
	eventComponent    = "VEVENT"
	descriptionName   = "DESCRIPTION"
)

// lineEnd ends each line of an export but the last.
const lineEnd = "\r\n"

var (
	errCalendar = errors.New("not one iCalendar object")
	errEvent    = errors.New("an event without an id of its own")
)

// SplitCalendar parses an iCalendar export and finds its events. It accepts exactly one VCALENDAR with
// nothing around it, except for a CRLF behind it. All other lines end in CRLF, have no other control
// characters than tabs, and aren't folded, because the reference folds none. Components are balanced, and
// events are directly in the calendar. Each event has one UID that begins with an id and a hyphen, and no
// two have the same id.
func SplitCalendar(text []byte) (*Document, error) {
	d := &Document{text: text, list: eventComponent, calendar: true}
	var open []string // the names of the open components
	var current object
	for pos := 0; pos < len(text); {
		start, end, next := pos, len(text), len(text)
		if n := bytes.Index(text[pos:], []byte(lineEnd)); n >= 0 {
			end, next = pos+n, pos+n+len(lineEnd)
		}
		pos = next
		name, value, ok := contentLine(text[start:end])
		switch {
		case !ok || start > 0 && len(open) == 0: // behind the calendar
			return nil, errCalendar
		case name == "BEGIN":
			if (value == calendarComponent) != (len(open) == 0) || value == eventComponent && len(open) != 1 {
				return nil, errCalendar
			}
			if open = append(open, value); value == eventComponent {
				current = object{start: start}
			}
		case len(open) == 0:
			return nil, errCalendar
		case name == "END":
			if open[len(open)-1] != value {
				return nil, errCalendar
			}
			if open = open[:len(open)-1]; value == eventComponent {
				current.end = end
				d.objects = append(d.objects, current)
			}
		case strings.EqualFold(name, "UID") && len(open) == 2 && open[1] == eventComponent:
			if name != "UID" || current.uid != "" {
				return nil, errEvent
			}
			current.uid, current.id = value, idOfUID(value)
		}
	}
	if len(open) > 0 || len(text) == 0 {
		return nil, errCalendar
	}
	if !d.distinct() {
		return nil, errEvent
	}
	return d, nil
}

// contentLine reads a line. value is what follows the name and a colon, or its parameters too if there
// are any. Lines that begin or end a component have no parameters, and names of components are in upper
// case, as the reference writes them.
func contentLine(line []byte) (name, value string, ok bool) {
	n := bytes.IndexFunc(line, func(c rune) bool {
		return !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-')
	})
	if n <= 0 || !utf8.Valid(line) || slices.ContainsFunc(line, func(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }) {
		return "", "", false
	}
	name, value = string(line[:n]), string(line[n+1:])
	component := strings.EqualFold(name, "BEGIN") || strings.EqualFold(name, "END")
	switch line[n] {
	case ';':
		return name, value, !component && colonOutsideQuotes(line[n:])
	case ':':
		return name, value, !component || name == strings.ToUpper(name) && value != "" && strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == ""
	}
	return "", "", false
}

// colonOutsideQuotes reports whether parameters of a line end, so that it has a value.
func colonOutsideQuotes(params []byte) bool {
	quoted := false
	for _, c := range params {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ':' && !quoted:
			return true
		}
	}
	return false
}

// idOfUID returns the id with which the reference begins the UID of an event, "46-1788220800-…@host"; 0
// if there is none.
func idOfUID(uid string) int64 {
	digits, _, ok := strings.Cut(uid, "-")
	id, err := strconv.ParseUint(digits, 10, 63)
	if !ok || err != nil {
		return 0
	}
	return int64(id)
}

// isEvent reports whether an object is an event of an export.
func isEvent(object []byte) bool { return bytes.HasPrefix(object, []byte("BEGIN:"+eventComponent)) }

// propertiesOf returns the properties of an event that SplitCalendar has accepted. Properties of one name
// are one member, and so is a component with all its lines. A value has its parameters.
func propertiesOf(event []byte) []member {
	var all []member
	inner := "" // the component within the event
	for line := range bytes.SplitSeq(event, []byte(lineEnd)) {
		n := bytes.IndexAny(line, ";:")
		name, value := string(line[:n]), line[n:]
		switch {
		case inner != "":
			if name == "END" && string(value[1:]) == inner {
				name, inner = inner, ""
			} else {
				name = inner
			}
			value = line
		case name == "BEGIN" && string(value[1:]) != eventComponent:
			inner = string(value[1:])
			name = inner
		}
		if i := slices.IndexFunc(all, func(m member) bool { return m.name == name }); i >= 0 {
			all[i].value = slices.Concat(all[i].value, []byte(lineEnd), value)
			continue
		}
		all = append(all, member{name, value})
	}
	return all
}

// withoutDescription returns an event without the text of its description.
func withoutDescription(event []byte) []byte {
	begin := []byte(lineEnd + descriptionName + ":")
	at := bytes.Index(event, begin)
	inner := bytes.Index(event, []byte(lineEnd+"BEGIN:"))
	if at < 0 || inner >= 0 && inner < at {
		return event
	}
	value := event[at+len(begin):]
	return append(bytes.Clone(event[:at+len(begin)]), value[bytes.Index(value, []byte(lineEnd)):]...)
}
