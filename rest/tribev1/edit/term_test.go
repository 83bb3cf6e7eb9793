package edit

import (
	"testing"

	"calbridge/rest/api"
)

func TestTermName(t *testing.T) {
	for _, tt := range []struct{ given, name, code string }{
		{"Rock & Roll", "Rock &amp; Roll", ""},
		{"  two   words ", "two words", ""},
		{"<i>x</i>", "x", ""},
		{" ", "", "empty_term_name"},
		{"<i></i>", "", "invalid_term_name"},
	} {
		name, err := termName(tt.given, nil)
		code := ""
		if e, ok := err.(*api.Error); ok {
			code = e.Code
		}
		if name != tt.name || code != tt.code {
			t.Errorf("termName(%q) = %q, %q", tt.given, name, code)
		}
	}
}
