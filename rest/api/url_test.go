package api

import "testing"

func TestIsURL(t *testing.T) {
	for url, want := range map[string]bool{
		"https://example.org":             true,
		"https://example.org/<b>\"{}|^`":  true,
		"https://u:p@example.org:8080/?x": true,
		"http://[::1]/":                   true,
		"http://[::zz]/":                  false,
		"mailto:a@example.org":            true,
		"javascript://x/%0aalert":         true,
		"javascript:alert(1)":             false,
		"example.org":                     false,
		"https://":                        false,
		"https://exa_mple.org":            false,
		"https://-a.example":              false,
		"https://example.org:99999":       false,
		"https://exämple.org":             false,
		"https://example.org/a b":         false,
		"":                                false,
	} {
		if got := IsURL(url); got != want {
			t.Errorf("IsURL(%q) = %v", url, got)
		}
	}
}
