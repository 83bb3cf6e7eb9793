package settings

import (
	"slices"
	"strings"
	"testing"
)

func TestParseValue(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"  a b  ":                "a b",
		"a # comment":            "a",
		"a\t# comment":           "a",
		"a#b":                    "a#b",
		"a #":                    "a",
		"# comment":              "",
		"u:p#w@tcp(h:3306)/d":    "u:p#w@tcp(h:3306)/d",
		`"a"`:                    "a",
		`'a'`:                    "a",
		`" a # b "`:              " a # b ",
		`"a" # comment`:          "a",
		`"it's"`:                 "it's",
		`'say "a"'`:              `say "a"`,
		`""`:                     "",
		`a "b" 'c'`:              `a "b" 'c'`,
		`max-age="5", public`:    `max-age="5", public`,
		`"C:\new"`:               `C:\new`,
		"příliš žluťoučký # kůň": "příliš žluťoučký",
	} {
		if got, err := parseValue(text); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		`"a`:      `begins with " but does not end with it`,
		`'`:       `begins with ' but does not end with it`,
		`"a" b`:   "only a comment may follow the quoted value",
		`"a"b`:    "only a comment may follow the quoted value",
		`"a"# b`:  "only a comment may follow the quoted value",
		`'a''b'`:  "only a comment may follow the quoted value",
		`"a" 'b'`: "only a comment may follow the quoted value",
	} {
		if got, err := parseValue(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %s", text, got, err, want)
		}
	}
}

// FuzzParseValue checks that a value in quotes is taken verbatim, that a comment after it
// changes nothing, and that a value without quotes has neither blanks at its ends nor a
// comment.
func FuzzParseValue(f *testing.F) {
	for _, seed := range []string{"", "a", " a # b ", `"a" # b`, "'", "a#b", "#", "\xff #"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, quote := range []string{`"`, "'"} {
			if strings.Contains(text, quote) {
				continue
			}
			for _, comment := range []string{"", " # comment", "\t#\"'", "  "} {
				if got, err := parseValue(quote + text + quote + comment); err != nil || got != text {
					t.Errorf("%q in %s with %q is %q, %v", text, quote, comment, got, err)
				}
			}
		}
		got, err := parseValue(text)
		if err != nil || strings.HasPrefix(strings.TrimSpace(text), `"`) || strings.HasPrefix(strings.TrimSpace(text), "'") {
			return
		}
		if got != strings.TrimSpace(got) || strings.HasPrefix(got, "#") || strings.Contains(got, " #") || strings.Contains(got, "\t#") || !strings.HasPrefix(strings.TrimSpace(text), got) {
			t.Errorf("%q is %q", text, got)
		}
		if again, err := parseValue(got + " # comment"); err != nil || again != got && !strings.HasPrefix(got, `"`) && !strings.HasPrefix(got, "'") {
			t.Errorf("%q with a comment is %q, %v", got, again, err)
		}
	})
}

// FuzzReadFile checks that each error names its line and that each value belongs to a setting.
func FuzzReadFile(f *testing.F) {
	f.Add("listen = :1\n# comment\nhome = \"https://a.example\" # b\n")
	f.Add("\ufefflisten=:1\r\n")
	f.Add("config = x")
	f.Fuzz(func(t *testing.T, text string) {
		file := write(t, "calbridge.conf", text)
		all := new(Settings).table()
		values, _, err := readFile(given{file, "--config"}, all, all)
		if err != nil && !strings.HasPrefix(err.Error(), file+":") {
			t.Errorf("%q: %v", text, err)
		}
		for name := range values {
			if all.lookup(name) == nil {
				t.Errorf("%q: %s", text, name)
			}
		}
	})
}

// TestIgnoredVariables checks that variables that look like settings, but that no setting
// reads, are reported with the setting that was probably meant.
func TestIgnoredVariables(t *testing.T) {
	got := new(Settings).table().ignored([]string{
		"PATH=/bin", "CALBRIDGE_LISTEN=:1", "CALBRIDGE_DSN_FILE=x", "CALBRIDGE_LISSTEN=:1", "CALBRIDGE_LISTEN_FILE=x", "CALBRIDGE_DNS_FILE=x",
		"CALBRIDGE_NAMESPACES=", "CALBRIDGE_NAMSPACE=x", "CALBRIDGE_STATEDIR=x", "CALBRIDGE_WHATEVER=x", "CALBRIDGE_FIRE_ACTIONS=1", "CALBRIDGE_TEST_DSN=x",
		"CALBRIDGE_REQUIRE_MARIADB=1", "CALBRIDGE_SHARED=x", "CALBRIDGE_LONG=1", "CALBRIDGE_PORT_8080_TCP=x", "CALBRIDGE_SERVICE_HOST=x", "CALBRIDGE_PORT=x",
	})
	want := []Ignored{
		{"CALBRIDGE_DNS_FILE", "Did you mean CALBRIDGE_DSN_FILE?"},
		{"CALBRIDGE_LISSTEN", "Did you mean CALBRIDGE_LISTEN?"},
		{"CALBRIDGE_LISTEN_FILE", "Set CALBRIDGE_LISTEN itself: only secrets can be in a file of their own."},
		{"CALBRIDGE_NAMSPACE", "Did you mean CALBRIDGE_NAMESPACE?"},
		{"CALBRIDGE_STATEDIR", "Did you mean CALBRIDGE_STATE_DIR?"},
		{"CALBRIDGE_WHATEVER", "Remove it: there is no such setting. `calbridge serve --help all` lists them all."},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
