package cost

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"calbridge/rest/api"
	"calbridge/rest/wptext/typography"
)

// FuzzCosts: whatever is stored as a cost, the functions end, and give what JSON
// can hold.
func FuzzCosts(f *testing.F) {
	for _, seed := range []string{"10-20", ",.5,.", "1.250,50", "$12.50, $1,250.00", "99999999999999999999999999999999999", strings.Repeat("1.", 400), "\xff1", "1e999"} {
		f.Add(seed, "2")
	}
	words, locale := api.NewWording(nil, "en", nil), typography.LocaleFor("en_US")
	f.Fuzz(func(t *testing.T, a, b string) {
		costs := Of([]string{a, b}, "en_US")
		text := Format(costs, &Currency{Symbol: "$", Position: "prefix"}, "en_US", words)
		if utf8.ValidString(a) && utf8.ValidString(b) && !utf8.ValidString(text) {
			t.Errorf("%q %q: %q", a, b, text)
		}
		if _, err := json.Marshal(Values(costs, locale)); err != nil {
			t.Error(err)
		}
	})
}
