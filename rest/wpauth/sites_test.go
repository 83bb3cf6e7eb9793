package wpauth

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"calbridge/testdata"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// The tests of this file check against the reference's databases and recordings,
// which are not part of the repository.

type referenceUser struct {
	id                int64
	login, pass, mail string
	passwords, tokens php.Value
}

type referenceSite struct {
	Home  string
	Clock struct{ Epoch int64 }
	Users map[string]struct {
		ID                  int64
		ApplicationPassword string `json:"application_password"`
		Password            string
		SessionToken        string `json:"session_token"`
		Cookie, Nonce       string
	}
	Keys map[string]string

	users map[string]*referenceUser // by login and by address
}

func (s *referenceSite) keys() Keys {
	return Keys{
		AuthKey: s.Keys["AUTH_KEY"], AuthSalt: s.Keys["AUTH_SALT"],
		SecureAuthKey: s.Keys["SECURE_AUTH_KEY"], SecureAuthSalt: s.Keys["SECURE_AUTH_SALT"],
		LoggedInKey: s.Keys["LOGGED_IN_KEY"], LoggedInSalt: s.Keys["LOGGED_IN_SALT"],
		NonceKey: s.Keys["NONCE_KEY"], NonceSalt: s.Keys["NONCE_SALT"],
	}
}

func eachSite(t *testing.T, test func(t *testing.T, name string, site *referenceSite)) {
	for _, name := range []string{"mono", "poly", "wpml"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(testdata.Shared(t, "sites", name+".json"))
			site := &referenceSite{users: map[string]*referenceUser{}}
			if err != nil || json.Unmarshal(text, site) != nil {
				t.Fatalf("%s.json: %v", name, err)
			}
			readDump(t, site, testdata.Shared(t, "sites", name+".sql.gz"))
			test(t, name, site)
		})
	}
}

var (
	userRow = regexp.MustCompile(`^\((\d+),'((?:[^'\\]|\\.)*)','((?:[^'\\]|\\.)*)','(?:[^'\\]|\\.)*','((?:[^'\\]|\\.)*)',`)
	metaRow = regexp.MustCompile(`^\(\d+,(\d+),'(_application_passwords|session_tokens)','((?:[^'\\]|\\.)*)'\)`)
	escape  = strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`, `\n`, "\n", `\r`, "\r", `\0`, "\x00")
)

func readDump(t *testing.T, site *referenceSite, path string) {
	t.Helper()
	passwords, tokens := map[string]php.Value{}, map[string]php.Value{}
	inUsers := false
	eachLine(t, path, func(line string) {
		if strings.HasPrefix(line, "INSERT INTO") {
			inUsers = strings.Contains(line, "_users` VALUES")
		}
		if m := metaRow.FindStringSubmatch(line); m != nil {
			value := phpserial.Maybe(escape.Replace(m[3]))
			if m[2] == "session_tokens" {
				tokens[m[1]] = value
			} else {
				passwords[m[1]] = value
			}
		}
		if m := userRow.FindStringSubmatch(line); m != nil && inUsers {
			u := &referenceUser{
				id: php.ToInt(m[1]), login: m[2], pass: escape.Replace(m[3]), mail: m[4],
				passwords: passwords[m[1]], tokens: tokens[m[1]],
			}
			site.users[u.login], site.users[u.mail] = u, u
		}
	})
	if len(site.users) == 0 {
		t.Fatal("no users found in the dump")
	}
}

func eachLine(t *testing.T, path string, do func(line string)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		do(lines.Text())
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
}

func TestReferenceCredentials(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, of one goroutine")
	}
	eachSite(t, func(t *testing.T, _ string, site *referenceSite) {
		now := time.Unix(site.Clock.Epoch, 0)
		keys := site.keys()
		names := NewCookieNames(CookieSiteURL(site.Home), nil)
		for login, given := range site.Users {
			u := site.users[login]
			if u == nil || u.id != given.ID {
				t.Fatalf("%s: %+v", login, u)
			}
			if !CheckPassword(u.pass, given.Password) || CheckPassword(u.pass, given.Password+"x") {
				t.Errorf("%s: account password", login)
			}
			if _, _, ok := MatchApplicationPassword(u.passwords, given.ApplicationPassword); !ok {
				t.Errorf("%s: application password", login)
			}
			if _, _, ok := MatchApplicationPassword(u.passwords, given.Password); ok {
				t.Errorf("%s: account password as application password", login)
			}
			value, ok := FindCookie([]string{given.Cookie}, names.LoggedIn)
			if !ok {
				t.Fatalf("%s: no cookie %s", login, names.LoggedIn)
			}
			c, ok := ParseLoginCookie(value)
			if !ok || c.Login != login || c.Token != given.SessionToken || !c.Verify(u.pass, Salt(SchemeLoggedIn, keys, nil), now, false) {
				t.Errorf("%s: cookie %+v", login, c)
			}
			if !SessionValid(u.tokens, c.Token, now) || SessionValid(u.tokens, c.Token+"x", now) ||
				SessionValid(u.tokens, c.Token, time.Unix(c.Expires()+1, 0)) {
				t.Errorf("%s: session", login)
			}
			if got := Nonce(NonceTick(now), u.id, c.Token, Salt(SchemeNonce, keys, nil)); got != given.Nonce {
				t.Errorf("%s: nonce %s, want %s", login, got, given.Nonce)
			}
		}
	})
}

type exchange struct {
	ID, As  string
	Request struct {
		Method, Path string
		Headers      map[string]string
	}
	Response struct {
		Status  int
		Headers map[string]any
		Body    string
	}
}

// Every recorded read with credentials of its own gets the verdict that the
// reference gave: refused password, refused nonce, or a user and a fresh nonce.
func TestReferenceVerdicts(t *testing.T) {
	eachSite(t, func(t *testing.T, name string, site *referenceSite) {
		files, _ := filepath.Glob(filepath.Join(testdata.Shared(t, "recordings", name), "reads-*.jsonl.gz"))
		checked := 0
		for _, path := range files {
			eachLine(t, path, func(line string) {
				var e exchange
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatal(err)
				}
				h := e.Request.Headers
				if h["Authorization"] == "" && h["Cookie"] == "" && !hasNonce(e) {
					return
				}
				checked++
				code, nonce := site.judge(e)
				got, _ := e.Response.Headers["x-wp-nonce"].(string)
				if nonce != got {
					t.Errorf("%s: nonce %q, recorded %q", e.ID, nonce, got)
				}
				var answer struct{ Code string }
				_ = json.Unmarshal([]byte(e.Response.Body), &answer)
				refused := e.Response.Status == 401 && !strings.HasPrefix(answer.Code, "rest_") || answer.Code == "rest_cookie_invalid_nonce"
				if code != "" && code != answer.Code || code == "" && refused {
					t.Errorf("%s: verdict %q, recorded %d %q", e.ID, code, e.Response.Status, answer.Code)
				}
			})
		}
		t.Logf("%d exchanges", checked)
		if checked == 0 {
			t.Fatal("no recordings")
		}
	})
}

func hasNonce(e exchange) bool {
	_, header := e.Request.Headers["X-WP-Nonce"]
	return header || strings.Contains(e.Request.Path, "_wpnonce=")
}

// judge returns the error code or the fresh nonce that an exchange deserves.
func (s *referenceSite) judge(e exchange) (code, fresh string) {
	now := time.Unix(s.Clock.Epoch, 0)
	keys := s.keys()
	value, _ := FindCookie([]string{e.Request.Headers["Cookie"]}, NewCookieNames(s.Home, nil).LoggedIn)
	c, _ := ParseLoginCookie(value)

	var uid int64
	if u := s.users[strings.ToLower(c.Login)]; u != nil && u.login == strings.ToLower(c.Login) {
		if c.Verify(u.pass, Salt(SchemeLoggedIn, keys, nil), now, e.Request.Method == "POST") && SessionValid(u.tokens, c.Token, now) {
			uid = u.id
		}
	}
	if uid == 0 {
		user, pass, ok := ParseBasic(e.Request.Headers["Authorization"])
		if e.As != "anonymous" && e.Request.Headers["Authorization"] == "" {
			user, pass, ok = e.As, s.Users[e.As].ApplicationPassword, true
		}
		if ok {
			u := s.users[strings.ToLower(user)]
			if u == nil {
				return "invalid_username", ""
			}
			if _, _, fits := MatchApplicationPassword(u.passwords, pass); !fits {
				return "incorrect_password", ""
			}
			return "", ""
		}
	}
	if !hasNonce(e) {
		return "", ""
	}
	nonce := e.Request.Headers["X-WP-Nonce"]
	_, query, _ := strings.Cut(e.Request.Path, "?")
	if values, err := url.ParseQuery(query); err == nil && values.Has("_wpnonce") {
		nonce = values.Get("_wpnonce")
	}
	if VerifyNonce(nonce, now, uid, c.Token, Salt(SchemeNonce, keys, nil)) == 0 {
		return "rest_cookie_invalid_nonce", ""
	}
	return "", Nonce(NonceTick(now), uid, c.Token, Salt(SchemeNonce, keys, nil))
}

func FuzzSessionTokens(f *testing.F) {
	const key = "362759a453d9383ea51ce45744c4afa90867d8384ef36dc329ff28a91044b507"
	f.Add(`a:1:{s:64:"`+key+`";a:4:{s:10:"expiration";i:1796468063;s:2:"ip";s:9:"127.0.0.1";s:2:"ua";s:1:"x";s:5:"login";i:1795258463;}}`, testToken)
	f.Add(`a:1:{s:64:"`+key+`";i:1796468063;}`, testToken)
	f.Add(`a:1:{s:64:"`+key+`";R:1;}`, testToken)
	f.Add(`O:8:"stdClass":1:{s:64:"`+key+`";i:1796468063;}`, testToken)
	f.Add(`i:5;`, "")
	f.Fuzz(func(t *testing.T, stored, token string) {
		tokens := phpserial.Maybe(stored)
		now := time.Unix(1796468063, 0)
		if SessionValid(tokens, token, now) {
			if !SessionValid(tokens, token, now.Add(-time.Second)) {
				t.Fatal("a living session did not live a second ago")
			}
			if !strings.Contains(stored, sha256Hex(token)) {
				t.Fatal("a session that is not stored")
			}
		}
		if list, ok := tokens.(*php.Array); ok {
			for k := range list.All() {
				RecordUse(list, k, now, "")
			}
		}
		MatchApplicationPassword(tokens, token)
	})
}
