package api

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"calbridge/rest/phpform"
)

const bodyLimit = 8 << 20

func jsonPost(text string) *http.Request {
	return &http.Request{Method: "POST", Body: io.NopCloser(strings.NewReader(text)), ContentLength: int64(len(text)), Header: http.Header{"Content-Type": {"application/json"}}}
}

// hostileBodies returns of the largest size, in shapes that are much larger once parsed.
func hostileBodies() map[string]string {
	rep := func(before, unit, after string) string {
		return before + strings.Repeat(unit, (bodyLimit-len(before)-len(after))/len(unit)) + after
	}
	return map[string]string{
		"lists":   rep(`{"a":[`, `[],`, `[]]}`),
		"objects": rep(`{"a":[`, `{},`, `[]]}`),
		"numbers": rep(`[`, `1,`, `1]`),
		"members": rep(`{`, `"a":1,`, `"b":1}`),
		"deep":    rep(``, `[`, ``),
	}
}

// TestJSONBodiesAreBounded: what a body takes once parsed is bounded by the number of its
// elements, not by its size.
func TestJSONBodiesAreBounded(t *testing.T) {
	bodies := NewBodies(Limits{Body: bodyLimit, Form: phpform.Limits{MaxVars: 1000, MaxDepth: 64}})
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	for name, text := range hostileBodies() {
		body := bodies.Of(jsonPost(text))
		before := allocated()
		req := &Request{Header: body.r.Header}
		err := body.JSON(context.Background(), req, true)
		if took := allocated() - before; took > 2*bodyLimit {
			t.Errorf("%s: %d bytes were allocated", name, took)
		}
		if deep := name == "deep"; (req.JSONErr != nil) != deep || (err == nil) != deep || !deep && PublicError(err).Code != "calbridge_too_large" {
			t.Errorf("%s: %v", name, err)
		}
		body.Release()
	}
	for n, want := range map[int]bool{1000: true, 1001: false} {
		req := &Request{Header: http.Header{"Content-Type": {"application/json"}}}
		err := bodies.Of(jsonPost(`{"a":["1"`+strings.Repeat(`,"1"`, n-2)+`]}`)).JSON(context.Background(), req, true)
		if (err == nil) != want || want && req.JSON.Array("a").Len() != n-1 {
			t.Errorf("%d elements: %v", n, err)
		}
	}
	for n, want := range map[int]bool{64: true, 65: false} {
		req := &Request{Header: http.Header{"Content-Type": {"application/json"}}}
		err := bodies.Of(jsonPost(`{"a":`+strings.Repeat("[", n)+strings.Repeat("]", n)+`}`)).JSON(context.Background(), req, true)
		if err != nil || (req.JSONErr == nil) != want {
			t.Errorf("%d levels: %v", n, err)
		}
	}
}

// TestBodiesShareABudget: while one large body without a user is in work, the next one
// waits; small ones and those of users don't.
func TestBodiesShareABudget(t *testing.T) {
	bodies := NewBodies(Limits{Body: bodyLimit})
	large := `{"a":"` + strings.Repeat("x", bodyLimit-8) + `"}`
	load := func(text string, anonymous bool) (*Body, error) {
		r := jsonPost(text)
		body := bodies.Of(r)
		return body, body.JSON(t.Context(), &Request{Header: r.Header}, anonymous)
	}
	loadInVain := func(anonymous bool) (*Body, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		r := jsonPost(large)
		body := bodies.Of(r)
		return body, body.JSON(ctx, &Request{Header: r.Header}, anonymous)
	}
	busy := func(err error) bool {
		return err != nil && PublicError(err).Code == "calbridge_busy" && PublicError(err).RetryAfter > 0
	}
	first, err := load(large, true)
	if err != nil {
		t.Fatal(err)
	}
	if waiting, err := loadInVain(true); !busy(err) {
		t.Errorf("a second one: %v", err)
	} else {
		waiting.Release()
	}
	if _, err := load(`{"a":"`+strings.Repeat("x", freeBody-10)+`"}`, true); err != nil {
		t.Errorf("a small one: %v", err)
	}
	users, err := load(large, false)
	if err != nil {
		t.Errorf("a user's: %v", err)
	}
	if waiting, err := loadInVain(false); !busy(err) {
		t.Errorf("another user's: %v", err)
	} else {
		waiting.Release()
	}
	first.Release()
	users.Release()
	for range 2 {
		again, err := load(large, true)
		if err != nil {
			t.Errorf("after the release: %v", err)
		}
		again.Release()
	}
}
