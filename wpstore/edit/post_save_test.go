package edit

import (
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
)

func TestEscapeGUID(t *testing.T) {
	const want = "https://lipa.example/?p=5&#038;lang=de"
	for _, guid := range []string{"https://lipa.example/?p=5&lang=de", "https://lipa.example/?p=5&amp;lang=de", want} {
		if got := escapeGUID(guid); got != want {
			t.Errorf("%s becomes %s", guid, got)
		}
	}
}

func TestSchedule(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ status, date, want string }{
		{"publish", "2026-11-21 12:00:59", "publish"},
		{"publish", "2026-11-21 12:01:00", "future"},
		{"future", "2026-11-21 11:59:00", "publish"},
		{"future", wpstore.NoDate, "publish"},
		{"draft", "2027-01-01 00:00:00", "draft"},
	} {
		posts := &Posts{rows: &rowedit.Rows{Config: rowedit.Config{Stamp: rowedit.Stamp{Now: now}}}}
		e := posts.New(wpstore.Post{Status: c.status, PostDates: wpstore.PostDates{DateGMT: c.date}})
		if posts.newSave(e).schedule(); e.Status != c.want {
			t.Errorf("%s at %s becomes %s, want %s", c.status, c.date, e.Status, c.want)
		}
	}
}
