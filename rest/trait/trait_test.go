package trait

import (
	"slices"
	"testing"
)

// TestOf: what a site has that calbridge doesn't reproduce.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		tec, wp string
		want    []Name
	}{
		{"6.17.2", "7.0.4", nil},
		{"6.17.2", "7.1", []Name{ElementClassesAreCounted}},
		{"", "", nil},
		{"6.17.2.1", "7.0", []Name{UnrecordedNewerCalendar}},
		{"6.17.1", "7.0", []Name{EventIDIsCheckedFirst}},
		{"6.17.0", "7.0", []Name{EventIDIsCheckedFirst, FallbackDatesInUTC}},
		{"6.15.16.1", "7.0", []Name{EventIDIsCheckedFirst, FallbackDatesInUTC, TermsByRouteCapability}},
		{"6.17.2", "7.2-beta1", []Name{UnrecordedNewerWordPress, ElementClassesAreCounted}},
		{"6.17.2", "6.8.8", []Name{ParagraphsWithoutClass, TwoSpacesInSocialLinks, LayoutHashWithoutTheme, HiddenBlocksShow, PlayersCarryAScript}},
		{"6.17.2", "6.5.2", []Name{ParagraphsWithoutClass, TwoSpacesInSocialLinks, LayoutHashWithoutTheme, HiddenBlocksShow, PlayersCarryAScript, SmiliesEndAtLineBreaks,
			ErrorsMayBeStored, LayoutsAreCounted, PhpassPasswords, SizesWithoutAuto, TermsWithoutHints, ContainersAreCountedTogether, CookiesHidePasswords}},
		{"6.17.2", "6.9", []Name{ParagraphsWithoutClass, TwoSpacesInSocialLinks, LayoutHashWithoutTheme}},
	} {
		versions := Versions{Calendar: c.tec, WordPressCore: c.wp}
		var got []Name
		for _, trait := range Of(versions) {
			got = append(got, trait.Name)
			if !SetOf(versions).Has(trait.Name) {
				t.Errorf("%+v: the set lacks %s", versions, trait.Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", versions, got, c.want)
		}
	}
	seen := map[Name]bool{}
	for _, trait := range All() {
		if seen[trait.Name] || trait.What == "" || trait.Since == "" && trait.Until == "" {
			t.Errorf("%+v", trait)
		}
		seen[trait.Name] = true
	}
}

func TestRelease(t *testing.T) {
	for dbVersion, want := range map[string]string{
		"57155": "6.5", " 58975 ": "6.7", "60420": "6.7", "60421": "6.8", "60717": "6.9", "61833": "7.0", "61834": "", "1": "6.4", "x": "", "": "",
	} {
		if got := Release(dbVersion); got != want {
			t.Errorf("%q: %q, want %q", dbVersion, got, want)
		}
	}
	for _, c := range []struct {
		version, of string
		same        bool
	}{{"6.6.2", "6.5", true}, {"7.1", "7.0", true}, {"7.0-beta1", "7.0", true}, {"6.7", "6.7.7", true}, {"6.8", "6.7", false}, {"6.50", "6.5", false}} {
		if SameRelease(c.version, c.of) != c.same {
			t.Errorf("%+v", c)
		}
	}
}

func FuzzCompareVersions(f *testing.F) {
	f.Add("6.17.2", "6.17.2.1")
	f.Add("7.2-beta1", "7")
	f.Fuzz(func(t *testing.T, a, b string) {
		if x, y := compareVersions(a, b), compareVersions(b, a); x != -y {
			t.Errorf("%q, %q: %d, %d", a, b, x, y)
		}
	})
}
