package mirror

import (
	"net/url"
	"strings"
	"testing"
)

// TestSource checks which requests follow from the addresses that people use.
func TestSource(t *testing.T) {
	const v1 = "https://town.example/wp-json/calendar/events/v1"
	for _, c := range []struct {
		address  string
		filters  []string
		user     string
		changes  string
		identity string
	}{
		{v1, nil, "", v1 + "/events/changes?sync_token=T", v1},
		{v1 + "/", nil, "", v1 + "/events/changes?sync_token=T", v1},
		{v1 + "/events?categories=a&per_page=7", nil, "", v1 + "/events/changes?categories=a&sync_token=T", v1 + " with categories=a"},
		{v1, []string{"tags=b", "categories=a=c", "tags=a"}, "", v1 + "/events/changes?categories=a%3Dc&sync_token=T&tags=b&tags=a", v1 + " with categories=a%3Dc&tags=b&tags=a"},
		{"http://town.example:8080/en/wp-json/x/v1#top", nil, "jana", "http://town.example:8080/en/wp-json/x/v1/events/changes?sync_token=T", `http://town.example:8080/en/wp-json/x/v1 as the user "jana"`},
		{"https://town.example/?rest_route=/x/v1/&lang=en", nil, "", "https://town.example/?lang=en&rest_route=%2Fx%2Fv1%2Fevents%2Fchanges&sync_token=T", "https://town.example//x/v1 with lang=en"},
	} {
		s, err := ParseSource(c.address, c.filters, c.user, "")
		if err != nil {
			t.Errorf("%s: %v", c.address, err)
			continue
		}
		if got := s.endpoint("changes", url.Values{"sync_token": {"T"}}); got != c.changes {
			t.Errorf("%s: asks %s, want %s", c.address, got, c.changes)
		}
		if got := s.identity().String(); got != c.identity {
			t.Errorf("%s: %s, want %s", c.address, got, c.identity)
		}
	}
	for address, want := range map[string]string{
		"town.example":                   "--url",
		"ftp://town.example/":            "--url",
		"https://":                       "--url",
		"https://jana:x@town.example/v1": "--password-file",
		v1 + "?x=%zz":                    "--url",
		v1 + "?page=2":                   "page",
		v1 + "?sync_token=x":             "sync_token",
	} {
		if _, err := ParseSource(address, nil, "", ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := ParseSource(v1, []string{"categories"}, "", ""); err == nil || !strings.Contains(err.Error(), "--filter") {
		t.Error(err)
	}
}
