package rest

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/wpauth"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// hexMAC computes the HMAC of a login cookie independently of package wpauth.
func hexMAC(sha bool, secret, message string) string {
	h := hmac.New(md5.New, []byte(secret))
	if sha {
		h = hmac.New(sha256.New, []byte(secret))
	}
	h.Write([]byte(message))
	return hex.EncodeToString(h.Sum(nil))
}

const villageCookie = "wordpress_logged_in_"

// loginCookie returns the cookie of a login with the one session of addSession.
func loginCookie(login string, expires time.Time) string {
	until := fmt.Sprint(expires.Unix())
	key := hexMAC(false, "c1c2", strings.Join([]string{login, accountHash[8:12], until, sessionToken}, "|"))
	sum := md5.Sum([]byte("https://village.example"))
	return villageCookie + hex.EncodeToString(sum[:]) + "=" + strings.Join([]string{login, until, sessionToken, hexMAC(true, key, login+"|"+until+"|"+sessionToken)}, "%7C")
}

func (s *testSite) addSession(user int64, expires time.Time) {
	sum := sha256.Sum256([]byte(sessionToken))
	session := &php.Array{}
	session.SetString("expiration", expires.Unix())
	sessions := &php.Array{}
	sessions.SetString(hex.EncodeToString(sum[:]), session)
	s.insert("usermeta", row{"user_id": user, "meta_key": "session_tokens", "meta_value": phpserial.Serialize(sessions)})
}

func restNonce(user int64, token string, at time.Time) string {
	return wpauth.Nonce(wpauth.NonceTick(at), user, token, "d1d2")
}

// TestCookieAndNonce asks as the editor, who sees all statuses in lists.
func TestCookieAndNonce(t *testing.T) {
	s := newTestSite(t)
	tomorrow := testNow.Add(24 * time.Hour)
	s.addSession(2, tomorrow)
	cookie, nonce := loginCookie("edita", tomorrow), restNonce(2, sessionToken, testNow)
	const editor, anonymous, bad = "any", "publish", "403 rest_cookie_invalid_nonce"
	for _, c := range []struct {
		name, cookie, target string
		header               string // X-WP-Nonce; "-" for none
		want                 string
	}{
		{"cookie and nonce", cookie, "events", nonce, editor},
		{"nonce as a parameter", cookie, "events?_wpnonce=" + nonce, "-", editor},
		{"parameter hides header", cookie, "events?_wpnonce=x", nonce, bad},
		{"empty parameter hides header", cookie, "events?_wpnonce=", nonce, bad},
		{"cookie alone", cookie, "events", "-", anonymous},
		{"empty nonce", cookie, "events", "", bad},
		{"yesterday's nonce", cookie, "events", restNonce(2, sessionToken, testNow.Add(-12*time.Hour)), editor},
		{"old nonce", cookie, "events", restNonce(2, sessionToken, testNow.Add(-24*time.Hour)), bad},
		{"another user's nonce", cookie, "events", restNonce(1, sessionToken, testNow), bad},
		{"nonce of another session", cookie, "events", restNonce(2, "x", testNow), bad},
		{"anonymous nonce, no cookie", "", "events", restNonce(0, "", testNow), anonymous},
		{"nonce without its cookie", "", "events", nonce, bad},
		{"expired cookie", loginCookie("edita", testNow.Add(-time.Minute)), "events", nonce, bad},
		{"expired cookie, anonymous nonce", loginCookie("edita", testNow.Add(-time.Minute)), "events", restNonce(0, sessionToken, testNow), anonymous},
		{"forged cookie", strings.Replace(cookie, "edita", "adela", 1), "events", restNonce(1, sessionToken, testNow), bad},
		{"cookie without a session", loginCookie("adela", tomorrow), "events", restNonce(1, sessionToken, testNow), bad},
		{"bad nonce on an unknown route", cookie, "nothing", "x", bad},
		{"bad nonce on OPTIONS", cookie, "events?_method=OPTIONS", "x", bad},
	} {
		a := ask{target: c.target, header: http.Header{}}
		if c.cookie != "" {
			a.header.Set("Cookie", "first=1; "+c.cookie)
		}
		if c.header != "-" {
			a.header.Set("X-WP-Nonce", c.header)
		}
		got := s.do(a)
		outcome := got.outcome()
		if outcome == "200" {
			_, outcome = cutLast(got.json("rest_url"), "status=")
		}
		if outcome != c.want {
			t.Errorf("%s: %s, want %s", c.name, outcome, c.want)
		}
		fresh := got.header.Get("X-WP-Nonce")
		if accepted := outcome != bad && c.name != "cookie alone"; accepted != (fresh != "") {
			t.Errorf("%s: fresh nonce %q", c.name, fresh)
		}
		if c.name == "yesterday's nonce" && fresh != nonce {
			t.Errorf("yesterday's nonce is answered with %s, want %s", fresh, nonce)
		}
	}
	// The response to a bad nonce to a client with a valid cookie does not vary.
	for name, cookie := range map[string]string{"": cookie, "Origin": "x=y"} {
		h := s.do(ask{target: "events", header: http.Header{"X-Wp-Nonce": {"x"}, "Cookie": {cookie}}}).header
		if h.Get("Vary") != name || h.Get("Cache-Control") == "" {
			t.Errorf("%q: %v", cookie, h)
		}
	}
}

// TestCookiesHidePasswords: WordPress 6.5 ignores a password beside a login cookie that is
// not valid; later versions don't.
func TestCookiesHidePasswords(t *testing.T) {
	expired := http.Header{"Cookie": {loginCookie("edita", testNow.Add(-time.Minute))}}
	for version, want := range map[string]string{"6.5.5": "GET", "6.6": "GET, POST"} {
		s := newTestSite(t, func(c *Config) { c.WordPress = version })
		if got := s.do(ask{target: "events", as: "edita", header: expired}).header.Get("Allow"); got != want {
			t.Errorf("WordPress %s: Allow %s, want %s", version, got, want)
		}
	}
}

// TestNonceInForms: the form of a real POST counts, that of a PUT and JSON do not.
func TestNonceInForms(t *testing.T) {
	s := newTestSite(t)
	tomorrow := testNow.Add(24 * time.Hour)
	s.addSession(2, tomorrow)
	header := http.Header{"Cookie": {loginCookie("edita", tomorrow)}}
	nonce := restNonce(2, sessionToken, testNow)
	for _, c := range []struct{ method, target, contentType, body, want string }{
		{"POST", "events", "application/x-www-form-urlencoded", "_wpnonce=" + nonce, "400 rest_missing_callback_param"},
		{"POST", "events", "application/x-www-form-urlencoded", "_wpnonce=x", "403 rest_cookie_invalid_nonce"},
		{"POST", "events?_wpnonce=" + nonce, "application/x-www-form-urlencoded", "_wpnonce=x", "403 rest_cookie_invalid_nonce"},
		{"PUT", "tags/41", "application/x-www-form-urlencoded", "_wpnonce=x", "401 rest_forbidden"},
		{"POST", "tags/41", jsonType, `{"_wpnonce":"` + nonce + `"}`, "401 rest_forbidden"},
	} {
		if got := s.do(ask{method: c.method, target: c.target, contentType: c.contentType, body: c.body, header: header}).outcome(); got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.method, c.target, c.body, got, c.want)
		}
	}
}

func basic(credentials string) http.Header {
	return http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(credentials))}}
}

func TestApplicationPasswords(t *testing.T) {
	s := newTestSite(t)
	for credentials, want := range map[string]string{
		"edita:secretedita":                 "any",
		"EDITA:secretedita":                 "any",
		"edita@village.example:secretedita": "any",
		"edita:secr eted-ita":               "any",
		"edita:secretadela":                 "401 incorrect_password",
		"edita:Secretedita":                 "401 incorrect_password",
		"edita:" + accountHash:              "401 incorrect_password",
		"nobody:x":                          "401 invalid_username",
		"nobody@village.example:x":          "401 invalid_email",
		":x":                                "401 invalid_username",
		"edita:":                            "publish",
		"edita":                             "publish",
		"sona:secretsona":                   "publish",
		strings.Repeat("x", 100_000) + ":x": "401 invalid_username",
		"edita:" + strings.Repeat("x", 1e6): "401 incorrect_password",
		"\xff\xfe:x":                        "401 invalid_username",
		"' OR 1=1 -- :x":                    "401 invalid_username",
		"%:x":                               "401 invalid_username",
	} {
		a := s.do(ask{target: "events", header: basic(credentials)})
		got := a.outcome()
		if got == "200" {
			_, got = cutLast(a.json("rest_url"), "status=")
		}
		if got != want {
			t.Errorf("%.60q: %s, want %s", credentials, got, want)
		}
		if strings.Contains(a.body, "secret") {
			t.Errorf("%.60q: the response contains a password: %s", credentials, a.body)
		}
	}
}

// TestWhenBasicCounts: over HTTPS only, which only a trusted proxy may claim.
func TestWhenBasicCounts(t *testing.T) {
	for _, c := range []struct {
		setting, environment, from, proto string
		want                              int64
	}{
		{"auto", "production", "127.0.0.1:1", "https", 2},
		{"auto", "production", "127.0.0.1:1", "http", 0},
		{"auto", "production", "192.0.2.1:1", "https", 0},
		{"auto", "local", "192.0.2.1:1", "http", 2},
		{"on", "production", "192.0.2.1:1", "http", 2},
		{"off", "local", "127.0.0.1:1", "https", 0},
	} {
		s := newTestSite(t, func(cfg *Config) { cfg.Auth.ApplicationPasswords, cfg.Auth.Environment = c.setting, c.environment })
		s.do(ask{target: "events", as: "edita", from: c.from, header: http.Header{"X-Forwarded-Proto": {c.proto}}})
		if s.seen.UserID != c.want {
			t.Errorf("%+v: user %d", c, s.seen.UserID)
		}
		s.setOption("using_application_passwords", "")
		s.do(ask{target: "events", as: "edita", from: c.from, header: http.Header{"X-Forwarded-Proto": {c.proto}}})
		if c.setting == "auto" && s.seen.UserID != 0 {
			t.Errorf("%+v: application passwords are not in use, yet user %d", c, s.seen.UserID)
		}
	}
}

// TestRecordingUse: when and from where, once a day, as the trusted proxies say.
func TestRecordingUse(t *testing.T) {
	s := newTestSite(t, func(cfg *Config) { cfg.Auth.RecordUse = true })
	stored := func() *php.Array {
		s.srv.Close()
		user, err := s.DB.Session(nil).Users.UserByLogin(t.Context(), "edita")
		if err != nil {
			t.Fatal(err)
		}
		return phpserial.Maybe(user.Meta["_application_passwords"]).(*php.Array).Values()[0].(*php.Array)
	}
	from := func(addr string) http.Header { return http.Header{"X-Forwarded-For": {addr}} }
	s.do(ask{target: "events", header: basic("edita:wrong")})
	if v := stored().At("last_used"); v != nil {
		t.Errorf("a wrong password was recorded: %v", v)
	}
	s.do(ask{target: "events", as: "edita", header: from("6.6.6.6, 203.0.113.1")})
	if item := stored(); item.At("last_used") != testNow.Unix() || item.At("last_ip") != "203.0.113.1" || item.At("name") != "test" {
		t.Errorf("recorded %v", phpserial.Serialize(item))
	}
	s.do(ask{target: "events", as: "edita", header: from("203.0.113.2")})
	if v := stored().At("last_ip"); v != "203.0.113.1" {
		t.Errorf("recorded twice a day: %v", v)
	}
}

// TestSlowedDown: who keeps guessing has to wait; others do not, and exact slows nobody
// down. A valid login of one's own clears nothing, and an IPv6 network is one client.
func TestSlowedDown(t *testing.T) {
	for level, slowed := range map[api.Compat]bool{api.Safe: true, api.Exact: false} {
		s := newTestSite(t, func(cfg *Config) { cfg.Compat = level; cfg.Auth.FreeFailures = 3 })
		now := testNow
		s.srv.login = s.srv.newLogin(invalidation.Aging{Now: func() time.Time { return now }})
		try := func(credentials, addr string) answer {
			h := basic(credentials)
			h.Set("X-Forwarded-For", addr)
			return s.do(ask{target: "tags", header: h})
		}
		passes := func(what, credentials, addr string) {
			t.Helper()
			if got := try(credentials, addr).outcome(); got != "200" {
				t.Errorf("%s, %s: %s", level, what, got)
			}
		}
		passes("the first login", "alois:secretalois", "203.0.113.1")
		guesses := 300
		if testing.Short() { // for the race detector
			guesses = 30
		}
		for i := range guesses {
			passes("the guesser's own login", "karel:secretkarel", "2001:db8::1")
			addr := fmt.Sprintf("2001:db8::%x", i+1)
			if got, judged := try("edita:wrong", addr).outcome(), !slowed || i < 4; (got == "401 incorrect_password") != judged {
				t.Fatalf("%s, guess %d: %s", level, i, got)
			}
		}
		for range 4 {
			try("edita:wrong", "203.0.113.1")
			try("alois:wrong", "203.0.113.1")
		}
		a := try("edita:secretedita", "203.0.113.1")
		if (a.status != 200) != slowed || slowed && a.header.Get("Retry-After") == "" {
			t.Errorf("%s: %s %v", level, a.outcome(), a.header)
		}
		passes("another user", "adela:secretadela", "203.0.113.1")
		passes("a password that was accepted before", "alois:secretalois", "203.0.113.1")
		passes("another address", "edita:secretedita", "203.0.113.2")
		now = now.Add(time.Minute)
		passes("after a minute", "edita:secretedita", "203.0.113.1")
	}
}

// TestUntrustedProxy: that many clients seem to be one is logged, once.
func TestUntrustedProxy(t *testing.T) {
	var log bytes.Buffer
	s := newTestSite(t, func(cfg *Config) { cfg.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	from := func(peer string, clients int) {
		for i := range clients {
			s.do(ask{target: "tags", from: peer, header: http.Header{"X-Forwarded-For": {fmt.Sprintf("198.51.100.9, 203.0.113.%d", i)}}})
		}
	}
	from("10.1.2.3:4", 50) // a trusted proxy
	from("192.0.2.7:8", manyClients-1)
	for i := range 2 * maxPeers {
		from(fmt.Sprintf("192.0.2.%d:8", i), 1)
	}
	if log.Len() > 0 {
		t.Errorf("logged: %s", &log)
	}
	from("192.0.2.8:9", 50)
	from("192.0.2.7:8", 50)
	if got := log.String(); strings.Count(got, "--trusted-proxies lacks it") != 1 || !strings.Contains(got, "address=192.0.2.8") {
		t.Errorf("logged: %s", got)
	}
}
