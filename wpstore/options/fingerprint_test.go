package options_test

import (
	"testing"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/options"
	"calbridge/wpstore/php"
)

// TestFingerprint: it differs with each setting, but not with the range of all events.
func TestFingerprint(t *testing.T) {
	of := func(change func(*wpstore.SiteFacts)) string {
		f := &wpstore.SiteFacts{Calendar: &php.Array{}, Roles: &php.Array{}, Raw: map[string]string{"home": "a", "tribe_events_calendar_options": "x"}}
		f.Calendar.SetString("earliest_date", "2026-01-01 00:00:00")
		f.Calendar.SetString("currency", "€")
		change(f)
		text, err := options.Fingerprint(f)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	first := of(func(*wpstore.SiteFacts) {})
	for _, name := range []string{"earliest_date", "latest_date", "earliest_date_markers", "latest_date_markers"} {
		if of(func(f *wpstore.SiteFacts) {
			f.Calendar.SetString(name, "other")
			f.Raw["tribe_events_calendar_options"] = "y"
		}) != first {
			t.Errorf("differs with %s", name)
		}
	}
	for i, change := range []func(*wpstore.SiteFacts){
		func(f *wpstore.SiteFacts) { f.Home = "b" },
		func(f *wpstore.SiteFacts) { f.Raw["home"] = "b" },
		func(f *wpstore.SiteFacts) { f.Calendar.SetString("currency", "$") },
		func(f *wpstore.SiteFacts) { f.Calendar = nil },
		func(f *wpstore.SiteFacts) { f.Roles.(*php.Array).SetString("editor", "x") },
		func(f *wpstore.SiteFacts) { f.Languages.Plugin = "wpml" },
		func(f *wpstore.SiteFacts) { f.Occurrences = true },
	} {
		if of(change) == first {
			t.Errorf("change %d makes no difference", i)
		}
	}
}

// TestFingerprintOfLaterBuilds pins the fingerprint of a site. If it changes, all clients of changes
// have to begin again: tokens then need another version, and the changelog a line.
func TestFingerprintOfLaterBuilds(t *testing.T) {
	f := &wpstore.SiteFacts{
		SiteAddresses: wpstore.SiteAddresses{Home: "https://a.test", SiteURL: "https://a.test/wp"}, SiteReading: wpstore.SiteReading{PageOnFront: 7, UseSmilies: true},
		ActivePlugins: []string{"tickets/tickets.php"}, Occurrences: true, Charsets: map[string]string{"posts.post_title": "latin1"}, Raw: map[string]string{"home": "https://a.test"},
		StartIndexes: wpstore.StartIndexes{UTC: "by_start"}, Languages: i18n.Languages{Default: "cs", All: []i18n.Language{{Code: "cs"}, {Code: "en"}}},
		Calendar: &php.Array{}, Roles: &php.Array{},
	}
	f.Calendar.SetString("currency", "€")
	const want = "f2a1f47d443a518dfd172ce5"
	if got, err := options.Fingerprint(f); got != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
