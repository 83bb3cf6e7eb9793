package compat

import (
	"testing"
)

func TestAnonymousRead(t *testing.T) {
	x := exchange("a", "GET", "/wp-json/?x=1", "{}")
	if !x.AnonymousRead() {
		t.Error("a plain GET is one")
	}
	for name, change := range map[string]func(*Exchange){
		"login":  func(x *Exchange) { x.As = "jana" },
		"post":   func(x *Exchange) { x.Request.Method = "POST" },
		"cookie": func(x *Exchange) { x.Request.Headers["cookie"] = "a=b" },
		"nonce":  func(x *Exchange) { x.Request.Headers["X-WP-Nonce"] = "" },
		"query":  func(x *Exchange) { x.Request.Path += "&_wpnonce=1" },
	} {
		x := exchange("a", "GET", "/wp-json/?x=1", "{}")
		if change(x); x.AnonymousRead() {
			t.Errorf("%s is none", name)
		}
	}
}
