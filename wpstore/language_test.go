package wpstore

import (
	"testing"

	"calbridge/i18n"
)

func TestIn(t *testing.T) {
	languages := &i18n.Languages{Plugin: i18n.Polylang, All: []i18n.Language{{Code: "cs", PostTerm: 3, TermTerm: 4}}}
	if got, want := In(languages, "cs"), (InLanguage{Plugin: i18n.Polylang, Code: "cs", Posts: 3, Terms: 4}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, code := range []string{"", "de"} {
		if got := In(languages, code); got != (InLanguage{}) {
			t.Errorf("%q restricts to %+v", code, got)
		}
	}
}
