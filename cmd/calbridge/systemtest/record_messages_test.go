package systemtest

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"calbridge/compat/profile"
	"calbridge/compat/recording"
	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// foreignProfile returns a profile whose messages no other message reveals: those of the German
// catalogue by default, and, if the site has a directory for English, of the Czech one there.
func foreignProfile(t *testing.T, withEnglish bool) (p *api.Profile, messages, english map[string]string) {
	t.Helper()
	of := func(language string) map[string]string {
		texts := maps.Clone(i18n.Catalogues()[language].Errors)
		maps.DeleteFunc(texts, func(key, _ string) bool { return strings.HasPrefix(key, "calbridge_") })
		return texts
	}
	messages, english = of("de"), of("cs")
	languages := map[string]any{"default": map[string]any{"errors": messages}}
	if withEnglish {
		languages["en"] = map[string]any{"errors": english}
	}
	text, err := json.Marshal(map[string]any{"format": profile.Format, "languages": languages})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "foreign.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err = api.LoadProfile(file); err != nil {
		t.Fatal(err)
	}
	return p, messages, english
}

// underRoot answers the root of a site's REST API with its namespaces, and passes all else on.
func underRoot(t *testing.T, target string, namespaces ...string) string {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		p.SetURL(to)
		p.Out.Host = p.In.Host
		p.Out.Header["X-Forwarded-Proto"] = p.In.Header["X-Forwarded-Proto"]
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wp-json/" {
			json.NewEncoder(w).Encode(map[string]any{"name": "Site", "home": "https://" + r.Host, "namespaces": namespaces})
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestRecordMessages records the sites, first as a visitor, then also as a user. The profile
// must have every message of the reference in the site's words, or record must name it and
// what gets it. The database must not change.
func TestRecordMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("records for a minute")
	}
	t.Parallel()
	for site, c := range map[string]struct {
		namespaces []string
		lacks      []string // of all messages, with a login
	}{
		"mono": {[]string{"tribe/events/v1"}, []string{"rest_not_in_enum", "rest_not_in_enum.one"}},
		"wpml": {[]string{"tribe/events/v1", "wpml/v1"}, []string{"rest_not_in_enum.one"}},
		"poly": {[]string{"tribe/events/v1", "pll/v1"}, []string{"rest_not_in_enum", "rest_not_in_enum.one", "term_exists"}},
	} {
		t.Run(site, func(t *testing.T) {
			t.Parallel()
			wording, messages, english := foreignProfile(t, site == "wpml")
			users, err := recording.LoadSite(testdata.Shared(t, "sites", site+".json"))
			if err != nil {
				t.Fatal(err)
			}
			db := wptest.SiteCopy(t, "sqlite", site)
			address := underRoot(t, serveStore(t, openStore(t, db), site, db.Now, wording), c.namespaces...)
			before := takeSnapshot(t, db, notCompared...)
			dir := t.TempDir()
			args := []string{"record", "--url", address, "--host", db.Home, "--out", filepath.Join(dir, "site.jsonl.gz"), "--profile", filepath.Join(dir, "profile.json"), "--delay", "1ns", "--concurrency", "4", "--quiet"}
			checkMessages := func(stdout string, lacks map[string]bool) {
				t.Helper()
				have := recordedMessages(t, filepath.Join(dir, "profile.json"), "default")
				for _, m := range profile.Messages() {
					switch {
					case m.Way == profile.Unreachable:
					case lacks[m.Key]:
						if have[m.Key] != "" {
							t.Errorf("%s is recorded: remove it from the exceptions", m.Key)
						}
						if !regexp.MustCompile(`[ :]` + regexp.QuoteMeta(m.Key) + `[,\n (]`).MatchString(stdout) {
							t.Errorf("%s is missing without a word:\n%s", m.Key, stdout)
						}
					case have[m.Key] != messages[m.Key]:
						t.Errorf("%s is %q, want %q", m.Key, have[m.Key], messages[m.Key])
					}
				}
			}
			code, stdout, stderr := once(t, nil, args...)
			if code != 0 || !strings.Contains(stdout, "pass --user NAME") {
				t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
			}
			t.Log(stdout)
			lacks := map[string]bool{}
			for _, key := range c.lacks {
				lacks[key] = true
			}
			visitors := maps.Clone(lacks)
			for _, m := range profile.Messages() {
				visitors[m.Key] = visitors[m.Key] || m.Way == profile.Login
			}
			checkMessages(stdout, visitors)

			env := map[string]string{"CALBRIDGE_USER_PASSWORD": "wrong"}
			if code, _, stderr := once(t, env, append(slices.Clone(args), "--user", "admin")...); code == 0 || !strings.Contains(stderr, "refuses the login admin") {
				t.Errorf("wrong password: exit %d, %s", code, stderr)
			}
			env["CALBRIDGE_USER_PASSWORD"] = users.Users["admin"].ApplicationPassword
			code, stdout, stderr = once(t, env, append(slices.Clone(args), "--user", "admin")...)
			if code != 0 || strings.Contains(stdout, "pass --user NAME") || strings.Contains(stdout, "not refused") {
				t.Fatalf("exit %d\n%s%s", code, stdout, stderr)
			}
			t.Log(stdout)
			checkMessages(stdout, lacks)
			if site == "wpml" { // which has a directory for English
				have := recordedMessages(t, filepath.Join(dir, "profile.json"), "en")
				for _, m := range profile.Messages() {
					// Logins fail once, not in each language, and two answers don't name theirs.
					once := slices.Contains([]string{"invalid_username", "invalid_email", "incorrect_password", "wp_die", "rest_path_invalid_type"}, m.Key)
					if m.Way != profile.Unreachable && !once && !lacks[m.Key] && have[m.Key] != english[m.Key] {
						t.Errorf("in English %s is %q, want %q", m.Key, have[m.Key], english[m.Key])
					}
				}
			}
			recorded, err := os.ReadFile(filepath.Join(dir, "profile.json"))
			if err != nil || bytes.Contains(recorded, []byte(env["CALBRIDGE_USER_PASSWORD"])) {
				t.Error("the profile has the password", err)
			}
			if changes := before.Changes(t); len(changes) > 0 {
				t.Errorf("the database has changed: %v", changes)
			}
		})
	}
}

// recordedMessages returns the messages of a profile in a language.
func recordedMessages(t *testing.T, file, language string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var p profile.Profile
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	if p.Languages[language] == nil {
		return nil
	}
	return p.Languages[language].Errors
}

// TestMessagesServed checks that record knows every message of the reference that calbridge sends.
func TestMessagesServed(t *testing.T) {
	for _, code := range api.Errors().With(tribev1.Errors()).Codes() {
		if !strings.HasPrefix(code, "calbridge_") && !slices.ContainsFunc(profile.Messages(), func(m profile.Message) bool { return m.Key == code }) {
			t.Errorf("%s is missing in the table of messages", code)
		}
	}
}
