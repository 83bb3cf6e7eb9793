package rollout

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// exportOf returns an export of the event 45 with lines.
func exportOf(lines ...string) string {
	lines = append([]string{"BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:45-1764583200-1764586800@town.example", "SUMMARY:Fair"}, lines...)
	return strings.Join(append(lines, "END:VEVENT", "END:VCALENDAR"), "\r\n")
}

// TestFragmentExports checks when WordPress's events come into exports, and what keeps them out.
func TestFragmentExports(t *testing.T) {
	ours, theirs := exportOf("DESCRIPTION:[slider]"), exportOf("DESCRIPTION:Slides", "X-COST:5")
	newExports := func(t *testing.T) *fragmented {
		t.Helper()
		f := newFragmented(t)
		f.native.body = ours
		return f
	}
	answer := func(f *fragmented, contentType, body string) {
		f.wp.answers(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = io.WriteString(w, body)
		})
	}
	const calendar = "text/calendar; charset=UTF-8"
	t.Run("a text of a plugin", func(t *testing.T) {
		f := newExports(t)
		answer(f, calendar, theirs)
		f.expect("at first", events, theirs, false)
		f.prove(events)
		f.expect("proven", events, theirs, true)
		before := f.wp.count()
		f.tracker.Invalidate(event())
		answer(f, calendar, exportOf("DESCRIPTION:More slides"))
		f.expect("a row has changed", events, exportOf("DESCRIPTION:More slides"), false)
		if n := f.wp.count() - before; n != 2 {
			t.Errorf("a change took %d requests to WordPress", n)
		}
		f.expect("filled again", events, exportOf("DESCRIPTION:More slides"), true)
		f.h.Prover.Hidden()
		f.expect("something was hidden", events, "", false)
	})
	for _, c := range []struct{ name, contentType, body string }{
		{"a notice before", calendar, "Notice: undefined\r\n" + theirs},
		{"a comment behind", calendar, theirs + "\r\n<!-- cached -->"},
		{"newlines only", calendar, strings.ReplaceAll(theirs, "\r\n", "\n")},
		{"cut off", calendar, theirs[:len(theirs)-4]},
		{"an injected event", calendar, exportOf("DESCRIPTION:a", "END:VEVENT", "BEGIN:VEVENT", "UID:46-1@town.example", "DESCRIPTION:b")},
		{"another date in the UID", calendar, strings.Replace(theirs, "45-1764583200", "45-1764669600", 1)},
		{"another line around", calendar, strings.Replace(theirs, "VERSION:2.0", "VERSION:2.1", 1)},
		{"a line end behind", calendar, theirs + "\r\n"},
		{"another type", "text/html", theirs},
		{"JSON", "application/json", theirs},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newExports(t)
			answer(f, c.contentType, c.body)
			f.prove(events)
			f.expect("never composed", events, c.body, false)
			if fills := f.h.Prover.Report().Fragments.Fills; fills > 0 {
				t.Errorf("%d fills", fills)
			}
		})
	}
	t.Run("WordPress leaves it out", func(t *testing.T) {
		f := newExports(t)
		answer(f, calendar, theirs)
		f.prove(events)
		f.expect("proven", events, theirs, true)
		answer(f, "text/html; charset=UTF-8", "")
		f.tracker.Invalidate(event())
		f.expect("a row has changed", events, "", false)
		answer(f, calendar, theirs)
		f.expect("closed until its rows change", events, theirs, false)
		f.expect("closed until its rows change", events, theirs, false)
		f.tracker.Invalidate(event())
		f.ask(events)
		f.expect("a row has changed once more", events, theirs, true)
	})
	t.Run("WordPress sends a page", func(t *testing.T) {
		f := newExports(t)
		answer(f, calendar, theirs)
		f.prove(events)
		answer(f, "text/html; charset=UTF-8", "<p>Maintenance</p>")
		f.tracker.Invalidate(event())
		f.expect("a row has changed", events, "", false)
		answer(f, calendar, theirs)
		for range 3 { // after a difference, responses are compared less often
			f.prove(events)
		}
		f.expect("it closes nothing", events, theirs, true)
	})
}
