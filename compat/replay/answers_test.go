package replay

import (
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/diff"
	"calbridge/compat/recording"
)

func TestNoiseOfHeaders(t *testing.T) {
	x := compattest.Exchange("a", "GET", "/", `{}`)
	x.Noise = []string{"headers.X-WP-Nonce"}
	x.Response.Headers["x-wp-nonce"] = recording.HeaderValues{"1"}
	got := recording.Response{Status: 200, Body: `{}`, Headers: map[string]recording.HeaderValues{
		"content-type": x.Response.Headers["content-type"], "link": x.Response.Headers["link"], "vary": {"Origin"},
		"x-wp-nonce": {"2"}, "server": {"another"}, "content-length": {"2"}, "keep-alive": {"timeout=5"},
	}}
	if diffs, err := bytewise.Diff(x, x.Response, got, false); err != nil || len(diffs) > 0 {
		t.Errorf("error %v, differences %v", err, diffs)
	}
	x.Noise = []string{"what is this"}
	if _, err := bytewise.Diff(x, x.Response, got, false); err == nil {
		t.Error("a rule that is not understood must be an error")
	}
}

func TestHeadAndPages(t *testing.T) {
	head := compattest.Exchange("a", "HEAD", "/", "")
	if diffs, _ := bytewise.Diff(head, head.Response, recording.Response{Status: 200, Headers: head.Response.Headers, Body: "x"}, false); len(diffs) > 0 {
		t.Errorf("HEAD: %v", diffs)
	}
	page := compattest.Exchange("a", "GET", "/", "<!DOCTYPE html>")
	page.Response.Headers["content-type"] = recording.HeaderValues{"text/html; charset=UTF-8"}
	plain := map[string]recording.HeaderValues{"content-type": {"text/html; charset=UTF-8"}, "x-other": {"1"}}
	if diffs, _ := bytewise.Diff(page, page.Response, recording.Response{Status: 200, Headers: plain, Body: "<html>"}, false); len(diffs) > 0 {
		t.Errorf("page: %v", diffs)
	}
	plain["content-type"] = recording.HeaderValues{"application/json"}
	if diffs, _ := bytewise.Diff(page, page.Response, recording.Response{Status: 500, Headers: plain}, false); len(diffs) != 2 {
		t.Errorf("page of another type and status: %v", diffs)
	}
	if diffs, _ := bytewise.Diff(page, page.Response, recording.Response{Status: 200, Headers: plain}, true); len(diffs) != 0 {
		t.Errorf("by status only: %v", diffs)
	}
}

// TestEntityTags checks that the value of an entity tag does not count, but a missing tag
// does.
func TestEntityTags(t *testing.T) {
	x := &recording.Exchange{Request: recording.Request{Method: "GET", Path: "/x"}, Response: recording.Response{Status: 200, Body: `{}`, Headers: map[string]recording.HeaderValues{"etag": {`"a"`}}}}
	for tag, want := range map[string]int{`"b-gzip"`: 0, "": 1} {
		got := recording.Response{Status: 200, Body: `{}`, Headers: map[string]recording.HeaderValues{"content-encoding": {"gzip"}}}
		if tag != "" {
			got.Headers["etag"] = recording.HeaderValues{tag}
		}
		diffs, err := bytewise.Diff(x, x.Response, got, false)
		if err != nil || len(diffs) != want {
			t.Errorf("%q: %v %v", tag, diffs, err)
		}
	}
}

// bytewise compares every byte, without rules.
var bytewise = Differ{Level: diff.LevelBytes}
