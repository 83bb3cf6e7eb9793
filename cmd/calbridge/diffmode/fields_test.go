package diffmode

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/compat/diff"
)

func TestFields(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	f := newFields(func() time.Time { return at })
	f.add("/events", []diff.Difference{
		{Part: diff.PartBody, Level: diff.LevelSemantic, Where: "events[0].title", Recorded: "secret", Got: "other"},
		{Part: diff.PartBody, Level: diff.LevelSemantic, Where: "events[7].title"},
		{Part: diff.PartBody, Level: diff.LevelSchema, Where: "events[7].extra"},
		{Part: diff.PartBody, Level: diff.LevelBytes, Where: "1234"},
		{Part: diff.PartHeaders, Level: diff.LevelHeaders, Where: "vary", Known: 3},
	})
	f.add("/events", []diff.Difference{{Part: diff.PartBody, Level: diff.LevelSchema, Where: "events[1].extra"}})
	want := []Field{
		{Route: "/events", Part: "body", Name: "events[].extra", Kind: "schema", Total: 2, Last: at},
		{Route: "/events", Part: "body", Kind: "bytes", Total: 1, Last: at},
		{Route: "/events", Part: "body", Name: "events[].title", Kind: "semantic", Total: 1, Last: at},
	}
	if d := cmp.Diff(want, f.list()); d != "" {
		t.Error(d)
	}
}

func TestFieldsAreBounded(t *testing.T) {
	f := newFields(time.Now)
	for i := range maxFields {
		f.add(fmt.Sprint("/", i), []diff.Difference{{Part: diff.PartStatus, Level: diff.LevelStatus}})
	}
	for range 5 {
		f.add("/new", []diff.Difference{{Part: diff.PartStatus, Level: diff.LevelStatus}})
	}
	if list := f.list(); len(list) != maxFields+1 || list[0].Name != OtherFields || list[0].Total != 5 {
		t.Errorf("%d fields, the first %+v", len(list), list[0])
	}
}
