package api

import (
	"strings"
	"testing"
)

// TestErrorTable: every code has a status and a text, and a place in the table.
func TestErrorTable(t *testing.T) {
	words := NewWording(nil, "en")
	for code, spec := range errorTable {
		if spec.status < 400 {
			t.Errorf("%s has status %d", code, spec.status)
		}
		if words.Message(code, nil) == code {
			t.Errorf("%s has no text", code)
		}
		if body := Fail(code).Body(words); body.At("code") != code || (body.At("data") == nil) != (spec.bare || spec.plain) {
			t.Errorf("%s: %v", code, body)
		}
	}
	for code := range words.catalogues[0].Errors {
		code, _, _ = strings.Cut(code, ".") // a variant
		if _, ok := errorTable[code]; !ok {
			t.Errorf("%s has a text but no place in the table", code)
		}
	}
}
