package recording_test

import (
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
)

func TestAnonymousRead(t *testing.T) {
	x := compattest.Exchange("a", "GET", "/wp-json/?x=1", "{}")
	if !x.AnonymousRead() {
		t.Error("a plain GET is one")
	}
	for name, change := range map[string]func(*recording.Exchange){
		"login":  func(x *recording.Exchange) { x.As = "jana" },
		"post":   func(x *recording.Exchange) { x.Request.Method = "POST" },
		"cookie": func(x *recording.Exchange) { x.Request.Headers["cookie"] = "a=b" },
		"nonce":  func(x *recording.Exchange) { x.Request.Headers["X-WP-Nonce"] = "" },
		"query":  func(x *recording.Exchange) { x.Request.Path += "&_wpnonce=1" },
	} {
		x := compattest.Exchange("a", "GET", "/wp-json/?x=1", "{}")
		if change(x); x.AnonymousRead() {
			t.Errorf("%s is none", name)
		}
	}
}
