package calendar

import (
	"strings"
	"testing"
)

func TestSearchTerms(t *testing.T) {
	for in, want := range map[string]string{
		"dance":                "dance",
		"dance mill":           "dance|mill",
		`"old mill" dance`:     "old mill|dance",
		`"open to the end`:     "open to the end",
		"a":                    "a", // nothing else is left
		"a dance":              "dance",
		"č dance":              "č|dance",
		"5 dance":              "5|dance",
		"the":                  "the", // only stop words
		"The Mill":             "Mill",
		"dance -mill":          "dance|!mill",
		"-":                    "!",
		"dance - mill":         "dance|mill",
		"a,b+c":                "a,b+c",
		"one,two+three\tfour":  "one|two|three|four",
		"one\ntwo":             "onetwo",
		`it\'s`:                "it's",
		`\\`:                   `\`,
		`\`:                    "",
		"":                     "",
		"1 2 3 4 5 6 7 8 9":    "1|2|3|4|5|6|7|8|9",
		"1 2 3 4 5 6 7 8 9 10": "1 2 3 4 5 6 7 8 9 10",
		"'quoted' word":        "quoted|word",
		"  spaces  around  ":   "spaces|around",
		`""`:                   `""`,
	} {
		var got []string
		for _, term := range SearchTerms(in) {
			if term.Exclude {
				term.Text = "!" + term.Text
			}
			got = append(got, term.Text)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %s, want %s", in, s, want)
		}
	}
}

func FuzzSearchTerms(f *testing.F) {
	for _, seed := range []string{`"a b" -c`, `\`, "\xff\"", strings.Repeat("x ", 50)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if n := len(SearchTerms(in)); n > 9 {
			t.Errorf("%d terms", n)
		}
	})
}

// TestSearches finds events, venues and terms by text.
// TestFruitlessVenueSearch: the totals stay those of the list without the search.
