package wordpress_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// visitorGuard is a must-use plugin that refuses an event to some visitors, depending on one
// part of their request.
const visitorGuard = `<?php
add_filter('tribe_rest_event_data', static function ($data) {
	return $data['id'] === EVENT && CONDITION ? new WP_Error('closed', 'Not for you.', ['status' => 403]) : $data;
});
`

const keyPlugin = `<?php
add_filter('tribe_rest_event_data', static function ($data) {
	return isset($_SERVER['HTTP_X_API_KEY']) || strpos($_SERVER['HTTP_COOKIE'] ?? '', 'wp@member=1') !== false ? $data + ['partner_price' => 12] : $data;
});
`

// ask sends a request with headers, "Name: value", to calbridge or to WordPress itself.
func (s *autoSite) ask(base, target string, headers ...string) (status int, native bool, body string) {
	s.t.Helper()
	request, err := http.NewRequest(http.MethodGet, base+"/wp-json/tribe/events/v1/"+target, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Host = strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		request.Header.Set(name, value)
	}
	res, err := s.client.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("X-Powered-By") == "" && res.StatusCode < 500, string(text)
}

// as sends the same request to calbridge and WordPress and expects the same status and body.
// native reports whether calbridge answered itself.
func (s *autoSite) as(who, target string, status int, headers ...string) (native bool) {
	s.t.Helper()
	want, _, theirs := s.ask(strings.TrimSuffix(s.url, "/"), target, headers...)
	got, native, ours := s.ask(s.base, target, headers...)
	if want != status || got != status || ours != theirs {
		s.t.Errorf("%s: status %d (natively: %t), WordPress %d, want %d; same body: %t", who, got, native, want, status, ours == theirs)
	}
	return native
}

// put writes a must-use plugin, or removes it, and waits until calbridge has noticed.
func (s *autoSite) put(file, text string) {
	s.t.Helper()
	ended := s.report().Endings["facts"]
	if text == "" {
		s.remove(file)
	} else {
		s.write(file, text)
	}
	for end := time.Now().Add(time.Minute); s.report().Endings["facts"] == ended; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("the change of %s is not seen", file)
		}
	}
	time.Sleep(phpLooks) // a file that has just changed counts as changed again
}

// TestAutoVisitors tests must-use plugins whose responses depend on the visitor. Every client
// gets the response that WordPress would send it. Code that reads visitor data is named, and
// nothing is answered natively until the operator accepts that code. Even then, one client's
// requests open nothing for others.
func TestAutoVisitors(t *testing.T) {
	if testing.Short() {
		t.Skip("PHP and a database")
	}
	t.Parallel()
	const file, name = "wp-content/mu-plugins/guard.php", "mu-plugins/guard.php"
	config := filepath.Join(t.TempDir(), "calbridge.conf")
	writeConfig(t, config, "")
	s := newAutoSite(t, "--config", config)
	s.prove() // WordPress's own code, the stand-in for the calendar and the probe read nothing
	closed, open := fmt.Sprint("events/", s.events[0]), fmt.Sprint("events/", s.events[1])
	for _, c := range []struct {
		name, condition string
		partner         []string // headers of a client that may see the event
		named           bool     // it reads data of requests that calbridge would answer natively
	}{
		{"user agent", `strpos($_SERVER['HTTP_USER_AGENT'] ?? '', 'PartnerApp') === false`, []string{"User-Agent: PartnerApp/2"}, true},
		{"address", `($_SERVER['HTTP_X_FORWARDED_FOR'] ?? $_SERVER['REMOTE_ADDR']) !== '203.0.113.9'`, []string{"X-Forwarded-For: 203.0.113.9"}, true},
		{"language", `substr($_SERVER['HTTP_ACCEPT_LANGUAGE'] ?? '', 0, 2) !== 'cs'`, []string{"Accept-Language: cs"}, true},
		{"referer", `strpos((string) wp_get_raw_referer(), 'partner.example') === false`, []string{"Referer: https://partner.example/"}, true},
		{"any header", `(getallheaders()['Accept'] ?? '') !== 'application/vnd.partner'`, []string{"Accept: application/vnd.partner"}, true},
		{"origin", `get_http_origin() !== 'https://partner.example'`, []string{"Origin: https://partner.example"}, false},
		{"key", `empty($_SERVER['HTTP_X_API_KEY'])`, []string{"X-Api-Key: k"}, false},
		{"cookie", `strpos($_SERVER['HTTP_COOKIE'] ?? '', 'wp@member=1') === false`, []string{"Cookie: wp@member=1"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func(of *testing.T) { s.t = of }(s.t)
			s.t = t
			s.put(file, guardOf(s.events[0], c.condition))
			if c.named {
				for end := time.Now().Add(3 * time.Second); time.Now().Before(end) && !t.Failed(); time.Sleep(20 * time.Millisecond) {
					s.as("the partner", closed, http.StatusOK, c.partner...)
					s.as("a stranger", closed, http.StatusForbidden)
					if s.as("anyone, of another event", open, http.StatusOK) {
						t.Error("answered natively although code reads who asks")
					}
				}
				s.names(name)
				s.accept(config, "harmless-code = "+name)
				defer s.accept(config, "")
			}
			s.proveOnly(s.targets()[2:])
			if got := s.report().Visitors; len(got) > 0 {
				t.Errorf("named: %v", got)
			}
			for range 4 { // no other client requests the event meanwhile
				if status, native, _ := s.ask(s.base, closed, c.partner...); status != http.StatusOK || native {
					t.Errorf("the partner: %d, natively: %t", status, native)
				}
				time.Sleep(300 * time.Millisecond)
			}
			s.as("a stranger, after the partner", closed, http.StatusForbidden)
			if status, native, _ := s.ask(s.base, closed); status != http.StatusForbidden || native {
				t.Errorf("a stranger: %d, natively: %t", status, native)
			}
		})
	}
	for _, c := range []struct{ name, condition, blocked string }{
		{"a blocked address", `($_SERVER['HTTP_X_FORWARDED_FOR'] ?? '') === '203.0.113.66'`, "X-Forwarded-For: 203.0.113.66"},
		{"a blocked browser", `strpos($_SERVER['HTTP_USER_AGENT'] ?? '', 'BadBot') !== false`, "User-Agent: BadBot/1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func(of *testing.T) { s.t = of }(s.t)
			s.t = t
			s.put(file, guardOf(s.events[0], c.condition))
			for end := time.Now().Add(6 * time.Second); time.Now().Before(end); { // enough time to prove
				for _, target := range s.targets() {
					_, _, _ = s.ask(s.base, target)
				}
			}
			for end := time.Now().Add(time.Second); time.Now().Before(end) && !t.Failed(); time.Sleep(20 * time.Millisecond) {
				s.as("others", closed, http.StatusOK)
				s.as("the one that is blocked", closed, http.StatusForbidden, c.blocked)
			}
		})
	}
	t.Run("a field for a key or a cookie", func(t *testing.T) {
		defer func(of *testing.T) { s.t = of }(s.t)
		s.t = t
		s.put(file, keyPlugin)
		s.prove()
		before := s.report()
		for _, header := range []string{"X-Api-Key: k", "Cookie: wp@member=1", "Cookie: _ga=1; wp@member=1"} {
			if s.as(header, open, http.StatusOK, header) {
				t.Errorf("%s: answered natively", header)
			}
			// On a busy machine, the code may be unknown for a moment: WordPress answers meanwhile.
			for end := time.Now().Add(time.Minute); !s.as("without", open, http.StatusOK); s.prove() {
				if time.Now().After(end) {
					t.Fatalf("%s: others are no longer answered natively: %+v", header, s.report())
				}
			}
		}
		if r := s.report(); r.Closed > before.Closed || r.Endings["contradiction"] > before.Endings["contradiction"] {
			t.Errorf("a client with a key ended proofs: %d closed, %d before; endings %v, %v before", r.Closed, before.Closed, r.Endings, before.Endings)
		}
	})
	t.Run("a client that is blocked", func(t *testing.T) {
		defer func(of *testing.T) { s.t = of }(s.t)
		s.t = t
		s.put(file, `<?php
add_filter('rest_pre_dispatch', static function ($result) {
	return strpos($_SERVER['HTTP_USER_AGENT'] ?? '', 'BadBot') === false ? $result : new WP_Error('blocked', 'No.', ['status' => 403]);
});
`)
		s.accept(config, "harmless-code = mu-plugins/*")
		s.prove()
		before := s.report()
		for range 8 {
			for _, target := range s.targets() {
				_, _, _ = s.ask(s.base, target, "User-Agent: BadBot")
			}
		}
		time.Sleep(time.Second)
		// A guard of an earlier case may have ended proofs before its file was noticed.
		if r := s.report(); r.Seen < before.Seen || r.Closed > 0 || r.Endings["contradiction"] > before.Endings["contradiction"] {
			t.Errorf("a blocked client ended proofs: %d objects, %d before, %d closed; endings %v, %v before", r.Seen, before.Seen, r.Closed, r.Endings, before.Endings)
		}
	})
}

// names runs `calbridge proof` and `calbridge check`, which name the code.
func (s *autoSite) names(code string) {
	s.t.Helper()
	wordpress := strings.TrimSuffix(s.url, "/")
	for _, args := range [][]string{
		{"proof", "--ops-listen", strings.TrimPrefix(s.ops, "http://")},
		{"check", "--dsn", s.dsn, "--namespace", "tribe/events/v1", "--mode", "auto", "--companion-url", wordpress, "--companion-secret", secret},
	} {
		out, _ := exec.Command(s.program, args...).CombinedOutput() // check has other findings too
		if text := string(out); !strings.Contains(text, code) || !strings.Contains(text, "--harmless-code") {
			s.t.Errorf("calbridge %s doesn't name %s:\n%s", args[0], code, text)
		}
	}
}

// guardOf returns a plugin that refuses an event where a condition holds.
func guardOf(event int64, condition string) string {
	return strings.NewReplacer("EVENT", fmt.Sprint(event), "CONDITION", condition).Replace(visitorGuard)
}

// proveOnly requests only some targets until all of them are answered natively.
func (s *autoSite) proveOnly(targets []string) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		all := true
		for _, target := range targets {
			_, native, _, _ := s.get(target)
			all = all && native
		}
		if all {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("not answered natively: %+v", s.report())
		}
	}
}

func writeConfig(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// accept writes the configuration file and reloads.
func (s *autoSite) accept(config, text string) {
	s.t.Helper()
	writeConfig(s.t, config, text)
	before := strings.Count(s.read("calbridge.log"), "msg=reloaded")
	s.reload()
	for end := time.Now().Add(time.Minute); strings.Count(s.read("calbridge.log"), "msg=reloaded") == before; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatal("not reloaded")
		}
	}
}
