package mirror

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// TestParsePage checks what is read from pages, and which pages are errors.
func TestParsePage(t *testing.T) {
	from := position{sync: "s", page: "p"}
	for _, c := range []struct {
		body  string
		next  position
		items int
	}{
		{`{"events": [], "sync_token": "t"}`, position{sync: "t"}, 0},
		{`{"events": [{"id": 7}, {"id": 8, "deleted": true}], "page_token": "t"}`, position{sync: "s", page: "t"}, 2},
		{`{"sync_token": "t"}`, position{sync: "t"}, 0},
		{`{"events": []}`, position{}, -1},
		{`{"events": [], "sync_token": "t", "page_token": "u"}`, position{}, -1},
		{`{"events": [], "page_token": "p"}`, position{}, -1},
		{`{"events": [], "sync_token": "a b"}`, position{}, -1},
		{`{"events": [], "sync_token": "` + strings.Repeat("a", 1025) + `"}`, position{}, -1},
		{`{"events": [{"title": "x"}], "sync_token": "t"}`, position{}, -1},
		{`{"events": [{"id": "7"}], "sync_token": "t"}`, position{}, -1},
		{`{"events": [{"id": 0}], "sync_token": "t"}`, position{}, -1},
		{`{"events": [7], "sync_token": "t"}`, position{}, -1},
		{`{"events": [], "sync_token": "t"`, position{}, -1},
		{`{"events": [], "sync_token": "t"} x`, position{}, -1},
		{`{"events": [], "sync_token": "t"}]`, position{}, -1},
		{`{"events": {}, "sync_token": "t"}`, position{}, -1},
		{`{"events": null, "more": {"a": [1]}, "sync_token": "t"}` + "\n", position{sync: "t"}, 0},
		{`[{"events": [], "sync_token": "t"}]`, position{}, -1},
		{`null`, position{}, -1},
		{`<html>`, position{}, -1},
		{``, position{}, -1},
	} {
		p, err := parsePage(t.Context(), strings.NewReader(c.body), from)
		if c.items < 0 {
			if err == nil {
				t.Errorf("%s: no error", c.body)
			}
			continue
		}
		if err != nil || p.next != c.next || len(p.items) != c.items {
			t.Errorf("%s: %+v, %v", c.body, p, err)
		}
	}
	if p, err := parsePage(t.Context(), strings.NewReader(`{"events": [], "page_token": "t"}`), position{listing: true}); err != nil || p.next != (position{page: "t", listing: true}) {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestParseItem checks that an item becomes one line and the texts of columns, and that
// nothing that other programs can't read is accepted.
func TestParseItem(t *testing.T) {
	it, err := parseItem([]byte("{\n \"id\": 7, \"title\": \"a \\u00e9\", \"slug\": null, \"url\": 5,\n \"description\": \"\xff\", \"deleted\": false}"))
	if err != nil || it.json != `{"id":7,"title":"a \u00e9","slug":null,"url":5,"description":"`+"\uFFFD"+`","deleted":false}` || it.deleted {
		t.Errorf("%+v, %v", it, err)
	}
	if it.fields[0] != "a é" || it.fields[1] != nil || it.fields[2] != nil || len(it.fields) != len(copiedFields()) {
		t.Errorf("%q", it.fields)
	}
}

// FuzzPage checks that no response causes a panic or stores anything but one line of JSON.
func FuzzPage(f *testing.F) {
	f.Add([]byte(`{"events": [{"id": 7, "title": "x"}, {"id": 8, "deleted": true}], "page_token": "t"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := parsePage(t.Context(), bytes.NewReader(body), position{sync: "s"})
		if err != nil {
			return
		}
		if p.next.sync == "" || p.next.page != "" && !isToken(p.next.page) {
			t.Fatalf("%+v", p.next)
		}
		for _, it := range p.items {
			if it.id <= 0 || strings.ContainsAny(it.json, "\r\n") || it.deleted != (it.fields == nil) {
				t.Fatalf("%+v", it)
			}
		}
	})
}

// TestManyItems checks that a page of many tiny items is refused after a limited number of
// them and in limited memory, and that reading one stops with the context.
func TestManyItems(t *testing.T) {
	body := []byte(`{"events":[` + strings.TrimSuffix(strings.Repeat(`{"id":7},`, maxPage/10), ",") + `],"sync_token":"t"}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := parsePage(t.Context(), bytes.NewReader(body), position{listing: true})
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "more than 10000 events") {
		t.Errorf("%v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
		t.Errorf("a page of %d bytes takes %d bytes", len(body), took)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := parsePage(ended, bytes.NewReader(body), position{listing: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}
