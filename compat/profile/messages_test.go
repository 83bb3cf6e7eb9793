package profile

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"calbridge/compat/wprest"
	"calbridge/testdata"
)

// TestMessagesOfTheSpec checks that the table has every message that the reference's
// documentation lists, each once and with a reason where it needs one.
func TestMessagesOfTheSpec(t *testing.T) {
	known := map[string]bool{}
	for _, m := range Messages() {
		if known[m.Key] {
			t.Errorf("%s is there twice", m.Key)
		}
		known[m.Key] = true
		if m.Needs == "" && (m.Way == Hidden || m.Way == Unreachable) {
			t.Errorf("%s has no reason", m.Key)
		}
	}
	for _, c := range []struct {
		file, from, to string
		atLeast        int
	}{
		{"reads.md", "## 7. Error summary", "## 8.", 11},
		{"writes.md", "## 13. Error code summary", "## 14.", 20},
		{"wp-rest-server.md", "Server-level codes:", "(auth file)", 12},
		{"auth-and-capabilities.md", "Codes: ", "or a plugin's", 5},
	} {
		text, err := os.ReadFile(testdata.Shared(t, "spec", c.file))
		if err != nil {
			t.Fatal(err)
		}
		_, section, found := strings.Cut(string(text), c.from)
		section, _, ended := strings.Cut(section, c.to)
		if !found || !ended {
			t.Fatalf("%s: no section from %q to %q", c.file, c.from, c.to)
		}
		codes := map[string]bool{}
		for _, match := range regexp.MustCompile("`([a-z]+(?:[-_][a-z]+)+(?:-\\*)?)`").FindAllStringSubmatch(section, -1) {
			for _, kind := range postKinds {
				codes[strings.Replace(match[1], "*", kind, 1)] = true
			}
		}
		delete(codes, "additional_errors") // members of an answer
		delete(codes, "additional_data")
		if len(codes) < c.atLeast {
			t.Errorf("%s: only %d codes are found", c.file, len(codes))
		}
		for code := range codes {
			if !known[code] {
				t.Errorf("%s names %s, the table does not", c.file, code)
			}
		}
	}
}

func TestMissing(t *testing.T) {
	p := &Profile{}
	all := p.Missing()
	if len(all) != len(slices.DeleteFunc(Messages(), func(m Message) bool { return m.Way == Unreachable })) {
		t.Errorf("an empty profile lacks %d messages", len(all))
	}
	own := map[string]string{}
	for _, m := range all {
		own[m.Key] = "x"
	}
	for _, key := range []string{"wp_die", "event-no-longer-available", "term_exists", "empty_content"} {
		delete(own, key)
	}
	p.language("en").Errors = map[string]string{"wp_die": "of another language only"}
	p.language(wprest.DefaultLanguage).Errors = maps.Clone(own)
	for user, want := range map[bool][]string{
		false: {"the site has not sent: wp_die", "found nothing that gets; --user NAME also searches what only editors see: event-no-longer-available (needs an event in the trash)",
			"need a login: pass --user NAME, an editor. All its requests read or are refused: empty_content, term_exists (needs a tag, and no Polylang, which could make another one)"},
		true: {"the site has not sent: wp_die", "found nothing that gets: event-no-longer-available (needs an event in the trash)",
			"the site has not sent, though the login may lack rights: empty_content, term_exists (needs a tag, and no Polylang, which could make another one)"},
	} {
		if got := DescribeMissing(p.Missing(), user); !slices.Equal(got, want) {
			t.Errorf("user %v:\n%s\nwant\n%s", user, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if got := DescribeMissing(nil, false); got != nil {
		t.Errorf("nothing is missing: %q", got)
	}
}
