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
		{"6.17.2", "7.1", []Name{ElementClassesAreCounted, ListsLinkNothing, TextSince71}},
		{"", "", nil},
		{"6.17.2.1", "7.0", []Name{UnrecordedNewerCalendar}},
		{"6.17.1", "7.0", []Name{EventIDIsCheckedFirst}},
		{"6.17.0", "7.0", []Name{EventIDIsCheckedFirst, FallbackDatesInUTC}},
		{"6.15.16.1", "7.0", []Name{EventIDIsCheckedFirst, FallbackDatesInUTC, UnprovenCreation, TermsByRouteCapability}},
		{"6.15.3", "7.0", []Name{EventIDIsCheckedFirst, FallbackDatesInUTC, UnprovenCreation, TermsByRouteCapability, PostsByGeneralCapability, DateBlockIsAHeading, UnnamedSubscriptions}},
		{"6.17.2", "7.2-beta1", []Name{UnrecordedNewerWordPress, ElementClassesAreCounted, ListsLinkNothing, TextSince71}},
		{"6.17.2", "6.8.8", []Name{TextBefore70, ParagraphsWithoutClass, TwoSpacesInSocialLinks, LayoutHashWithoutTheme, TextBefore69, HiddenBlocksShow, PlayersCarryAScript}},
		{"6.17.2", "6.5.2", []Name{TextBefore70, ParagraphsWithoutClass, TwoSpacesInSocialLinks, LayoutHashWithoutTheme, TextBefore69, HiddenBlocksShow, PlayersCarryAScript, TextBefore68, SmiliesEndAtLineBreaks,
			ErrorsMayBeStored, LayoutsAreCounted, PhpassPasswords, TextBefore67, SizesWithoutAuto, TermsWithoutHints, TextBefore66, ContainersAreCountedTogether, CookiesHidePasswords}},
		{"6.17.2", "6.9", []Name{TextBefore70, ParagraphsWithoutClass, TwoSpacesInSocialLinks, LayoutHashWithoutTheme}},
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
	if n := len(SetOf(Versions{Calendar: "6.0.13"})); n != 20 {
		t.Errorf("6.0.13 has %d traits", n)
	}
	seen := map[Name]bool{}
	for _, trait := range All() {
		if seen[trait.Name] || trait.What == "" || trait.Since == "" && trait.Until == "" {
			t.Errorf("%+v", trait)
		}
		if open := trait.LastWith != ""; open && !(compareVersions(trait.LastWith, trait.Until) < 0 && compareVersions(trait.Until, trait.FirstWithout) <= 0) {
			t.Errorf("%s: %s is not between %s and %s", trait.Name, trait.Until, trait.LastWith, trait.FirstWithout)
		}
		seen[trait.Name] = true
	}
}

// TestUnproven: between two recorded versions a threshold may be a guess.
func TestUnproven(t *testing.T) {
	for version, want := range map[string][]Name{
		"6.17.2": nil, "6.15.20": nil, "6.14.2": nil, "": nil, "6.15.10": {UnnamedSubscriptions}, "6.13.1": {IconsInOneLine}, "6.10.0": {TermsOfTwoPostTypes, UnlabelledSubscriptions},
		"6.7": {DashInDateBlock}, "6.5": {CaretIsReadAloud}, "6.3.7": nil, "6.1.2": {BlocksWithTabStops, JSONLDOfHiddenPosts, FailedPasswordsAreIgnored}, "6.0.13": nil,
	} {
		var got []Name
		for _, trait := range Unproven(Versions{Calendar: version, WordPressCore: "6.8"}) {
			got = append(got, trait.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", version, got, want)
		}
	}
}

// TestWithoutHoles: only faults that a later version closed are holes, and the set itself
// stays as it is.
func TestWithoutHoles(t *testing.T) {
	set := SetOf(Versions{Calendar: "6.0.13"})
	closed := set.WithoutHoles()
	for _, name := range []Name{TermsByRouteCapability, PostsByGeneralCapability, LinkedPostsIgnorePasswords, ListsIgnorePasswords, EventsIgnorePasswords, JSONLDOfHiddenPosts} {
		if !set.Has(name) || closed.Has(name) {
			t.Errorf("%s: %t, then %t", name, set.Has(name), closed.Has(name))
		}
	}
	if len(set)-len(closed) != 6 || !closed.Has(OneVenue) {
		t.Errorf("%d of %d are left", len(closed), len(set))
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

func TestCondition(t *testing.T) {
	old, today, newest := SetOf(Versions{WordPressCore: "6.8.8"}), SetOf(Versions{WordPressCore: "7.0.4"}), SetOf(Versions{WordPressCore: "7.1"})
	for _, c := range []struct {
		condition Condition
		want      [3]bool
	}{
		{Condition{}, [3]bool{true, true, true}},
		{Condition{Without: TextBefore69}, [3]bool{false, true, true}},
		{Condition{With: TextSince71}, [3]bool{false, false, true}},
		{Condition{With: TextBefore70, Without: TextBefore67}, [3]bool{true, false, false}},
	} {
		if got := [3]bool{c.condition.In(old), c.condition.In(today), c.condition.In(newest)}; got != c.want {
			t.Errorf("%+v: %v, want %v", c.condition, got, c.want)
		}
	}
}
