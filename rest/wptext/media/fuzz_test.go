package media

import (
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
)

// FuzzImageTags checks that completed tags need no further completion, apart from
// their text.
func FuzzImageTags(f *testing.F) {
	for _, s := range texttest.ContentSeeds {
		f.Add(s)
	}
	site, res := sitetest.Site("https://town.example"), sitetest.Resources()
	f.Fuzz(func(t *testing.T, s string) {
		req := &wptext.RequestState{}
		once := CompleteTags(s, site, res, req)
		if strings.Count(once, "<img") < strings.Count(s, "<img") {
			t.Errorf("%q lost an image: %q", s, once)
		}
		if strings.Contains(s, "loading") || strings.Contains(s, "sizes") || strings.Contains(s, "fetchpriority") {
			return
		}
		if twice := CompleteTags(once, site, res, req); twice != once && strings.Count(s, "<") == 1 {
			t.Errorf("%q\n once  %q\n twice %q", s, once, twice)
		}
	})
}
