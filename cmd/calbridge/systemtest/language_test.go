package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"calbridge/testdata"
)

// TestLanguagesAsObserved checks what was observed on the recorded sites without being
// recorded: the number of entries of a list, and its first entry.
func TestLanguagesAsObserved(t *testing.T) {
	testdata.Shared(t) // or skip
	const api = "/wp-json/tribe/events/v1/"
	for _, c := range []struct {
		site, target string
		listed       int    // -1 if it was not observed
		total        int    // -1 if it was not observed
		first        string // id of the first entry
	}{
		{"wpml", "/en" + api + "events?categories=14&per_page=50", 5, 5, ""},
		{"wpml", "/en" + api + "events?categories=26&per_page=50", 19, 19, ""},
		{"wpml", "/en" + api + "events?categories=culture-en&per_page=50", 19, 19, ""},
		{"wpml", "/en" + api + "events?categories=kultura&per_page=50", 19, 19, ""},
		{"wpml", "/en" + api + "events?venue=40", 0, 0, ""},
		{"wpml", "/en" + api + "events?post_parent=195", 0, 0, ""},
		{"wpml", "/de" + api + "events?include=85", 1, 1, "86"},
		{"wpml", "/de" + api + "events?include=89", 1, 1, "89"},
		{"wpml", api + "events?include=82", 0, 0, ""},
		{"wpml", "/en" + api + "venues?event=81", 1, 1, "41"},
		{"wpml", "/en" + api + "venues?search=svet", 1, 1, "41"},
		{"wpml", "/en" + api + "venues?has_events=1&per_page=50", 8, 8, ""},
		{"wpml", api + "venues?has_events=1&per_page=50", 16, 16, ""},
		{"wpml", "/en" + api + "categories?include=14&hide_empty=0", 1, 1, "26"},
		{"wpml", "/en" + api + "categories?event=81&per_page=50", 2, 0, ""},
		{"wpml", "/en" + api + "categories?parent=14&per_page=50&orderby=id", -1, -1, "27"},
		{"wpml", "/en" + api + "tags?slug=zdarma", 1, 1, "64"},
		{"poly", api + "events?lang=en&per_page=50", 50, 96, ""},
		{"poly", api + "tags?lang[]=en&hide_empty=0&per_page=50", 31, 31, ""},
		{"poly", api + "tags?lang=0&hide_empty=0&per_page=50", 31, 31, ""},
		{"poly", api + "tags?lang=xx&hide_empty=0&per_page=50", 21, 21, ""},
		{"poly", api + "events?categories=kultura&lang=en", 0, 0, ""},
	} {
		t.Run(c.site+" "+c.target, func(t *testing.T) {
			got := observe(t, serveSite(t, "sqlite", c.site, nil)+c.target)
			if c.listed >= 0 && got.listed != c.listed || c.total >= 0 && got.total != c.total || c.first != "" && got.first != c.first {
				t.Errorf("%d listed of %d, first %s; observed: %d of %d, %s", got.listed, got.total, got.first, c.listed, c.total, c.first)
			}
		})
	}
}

type observation struct {
	listed, total int
	first         string
}

func observe(t *testing.T, url string) observation {
	t.Helper()
	resp, text := fetch(t, url, "X-Forwarded-Proto", "https")
	var body map[string]any
	if err := json.Unmarshal([]byte(text), &body); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %v %.200s", resp.StatusCode, err, text)
	}
	var out observation
	for _, name := range strings.Fields("events venues organizers categories tags") {
		if list, ok := body[name].([]any); ok {
			out.listed = len(list)
			if len(list) > 0 {
				out.first = fmt.Sprint(list[0].(map[string]any)["id"])
			}
		}
	}
	total, _ := body["total"].(float64)
	out.total = int(total)
	return out
}
