package sitecompare

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/testdata"
)

// TestSignsOfVariants compares recordings of other versions, themes, locales and plugins with
// those of the site that they were made from. The signs must name each of them.
func TestSignsOfVariants(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine compares recordings, for half a minute")
	}
	dir := testdata.Shared(t, "recordings", "variants")
	mono := exchanges(t, filepath.Join(filepath.Dir(dir), "mono", "reads-*.jsonl.gz"))
	judge, err := replay.NewJudge(replay.JudgeOptions{Level: diff.LevelBytes})
	if err != nil {
		t.Fatal(err)
	}
	for label, want := range map[string]string{
		"tec-6.17.1": "unknown-id", "tec-6.12.0.1": "unknown-id allow", "tec-6.8.3": "custom-fields", "tec-6.3.7": "custom-fields password-argument protected-entries protected-events post-types routes", "tec-6.0.13": "one-venue custom-fields",
		"wp-6.5.10": "target-hints", "wp-6.6.6": "target-hints wordpress-sizes wordpress-paragraphs", "tickets-plain": "event-tickets", "tickets-rsvp-commerce": "event-tickets cost", "tickets-commerce-eur": "event-tickets cost",
		"locale-fr_FR": "texturize", "locale-es_ES": "protected-title cost", "locale-cs_CZ-own-files": "texturize",
		"theme-twentyseventeen": "excerpt-more", "theme-twentytwentyone": "excerpt-more", "theme-astra": "excerpt-more", "theme-classic-no-html5": "theme",
		"uploads-constant": "uploads", "multisite-subsite": "", "offset-plus2-site": "offset", "offset-minus5-site": "offset", "offset-minus9.5-site": "offset",
		"calendar-tables-off-option": "totals", "rest-v1-disabled": "api-off", "latin1-tables": "", "rest-prefix-api": "", "application-passwords-off": "application-passwords", "login-only-rest": "closed",
		"page-cap-999": "page-cap", "hook-extra-field": "custom-field", "hook-guarded-events": "closed", "hook-list-venue-organizer-fields": "custom-field",
		"hook-content-and-titles": "contents", "hook-cors-and-cdn": "cors uploads", "hook-cost-and-links": "cost links", "hook-hidden-events-term-order": "term-order hidden-entries", "hook-list-arguments": "hidden-entries",
	} {
		t.Run(label, func(t *testing.T) {
			g, compared := newGrouping(), 0
			for key, theirs := range exchanges(t, filepath.Join(dir, label+".jsonl.gz")) {
				ours := mono[key]
				if ours == nil {
					continue
				}
				compared++
				p := &pair{request: &request{method: theirs.Request.Method, target: theirs.Request.Path, route: "/"}, exchange: theirs, ours: ours.Response}
				if theirs.As != recording.Anonymous {
					p.request.login = &Login{User: theirs.As}
				}
				if err := p.decide(t.Context(), judge, nil); err != nil {
					t.Fatal(err)
				}
				g.add(p)
			}
			if compared == 0 && want != "" {
				t.Fatal("no request is recorded on both sites")
			}
			groups, suggestions := g.sorted()
			var names []string
			for _, s := range suggestions {
				names = append(names, s.Sign)
			}
			t.Logf("%d compared: %+v", compared, suggestions)
			for _, sign := range strings.Fields(want) {
				if !slices.Contains(names, sign) {
					t.Errorf("%s is not among %v", sign, names)
				}
			}
			for _, group := range groups {
				if group.Sign == "unexplained" {
					t.Logf("unexplained: %+v", group)
				}
			}
		})
	}
}

// exchanges reads the recorded reads by their requests.
func exchanges(t *testing.T, glob string) map[string]*recording.Exchange {
	t.Helper()
	files, err := recording.ExpandGlobs([]string{glob})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*recording.Exchange{}
	if err := recording.Read(files, func(e recording.Entry) error {
		if e.Exchange != nil {
			found[recording.RequestID(e.Exchange.As, e.Exchange.Request)] = e.Exchange
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}
