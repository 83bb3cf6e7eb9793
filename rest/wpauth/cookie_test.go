package wpauth

import (
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/php"
)

const testToken = "KSZ4UAJiwSYCGZ9CQZQQmrlPvp0L3wRHzPJMnCECqvf"

var testKeys = Keys{
	AuthKey: "auth-key", AuthSalt: "auth-salt",
	SecureAuthKey: "secure-auth-key", SecureAuthSalt: "secure-auth-salt",
	LoggedInKey: "logged-in-key", LoggedInSalt: "logged-in-salt",
	NonceKey: "nonce-key", NonceSalt: "nonce-salt",
}

func TestCookieHash(t *testing.T) {
	for url, want := range map[string]string{
		"http://127.0.0.1:8090": "b1b1bc34ad2d4b5d16003f9364bfdbc8",
		"http://127.0.0.1:8194": "21822f6896c2a8ee7eaa0caffedf3aad",
		"https://example.com":   "c984d06aafbecf6bc55569f964148ea3",
		"https://example.com/":  "182ccedb33a9e03fbf1079b209da1a31",
	} {
		if got := CookieHash(url); got != want {
			t.Errorf("CookieHash(%q) = %q, want %q", url, got, want)
		}
	}
	if got := CookieSiteURL("https://example.com//"); got != "https://example.com" {
		t.Errorf("single site: %q", got)
	}
}

func TestCookieNames(t *testing.T) {
	const hash = "c984d06aafbecf6bc55569f964148ea3"
	tests := []struct {
		name      string
		constants map[string]string
		want      CookieNames
	}{
		{"none", nil, CookieNames{
			"wordpress_logged_in_" + hash, "wp-postpass_" + hash,
		}},
		{"hash", map[string]string{"COOKIEHASH": "abc"}, CookieNames{
			"wordpress_logged_in_abc", "wp-postpass_abc",
		}},
		{"names", map[string]string{"LOGGED_IN_COOKIE": "in"}, CookieNames{
			"in", "wp-postpass_" + hash,
		}},
	}
	for _, tt := range tests {
		got := NewCookieNames("https://example.com", func(name string) (string, bool) {
			v, ok := tt.constants[name]
			return v, ok
		})
		if got != tt.want {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	if got := NewCookieNames("https://example.com", nil); got != tests[0].want {
		t.Errorf("nil: %+v", got)
	}
}

func TestFindCookie(t *testing.T) {
	long := strings.Repeat("x=1;", maxCookies-1)
	tests := []struct {
		name    string
		headers []string
		cookie  string
		want    string
		ok      bool
	}{
		{"none", nil, "a", "", false},
		{"plain", []string{"a=1"}, "a", "1", true},
		{"second", []string{"b=2; a=1"}, "a", "1", true},
		{"second header", []string{"b=2", "a=1"}, "a", "1", true},
		{"no blank", []string{"b=2;a=1;"}, "a", "1", true},
		{"first wins", []string{"a=1; a=2"}, "a", "1", true},
		{"first wins over headers", []string{"a=1", "a=2"}, "a", "1", true},
		{"empty first wins", []string{"a=; a=2"}, "a", "", true},
		{"no value", []string{"a"}, "a", "", true},
		{"no value wins", []string{"a; a=2"}, "a", "", true},
		{"case counts", []string{"A=1"}, "a", "", false},
		{"decoded", []string{"a=x%7Cy%7cz%zz%4"}, "a", "x|y|z%zz%4", true},
		{"literal bar", []string{"a=x|y"}, "a", "x|y", true},
		{"plus stays", []string{"a=x+y%20z"}, "a", "x+y z", true},
		{"equals in value", []string{"a=x=y"}, "a", "x=y", true},
		{"blanks in value stay", []string{"a= x "}, "a", " x ", true},
		{"name not decoded", []string{"%61=1"}, "a", "", false},
		{"blanks before the name", []string{"b=2; \t a=1"}, "a", "1", true},
		{"point in name", []string{"a.b=1"}, "a_b", "1", true},
		{"blank in name", []string{"a b=1"}, "a_b", "1", true},
		{"blank behind name", []string{"a =1"}, "a", "", false},
		{"blank behind name 2", []string{"a =1"}, "a_", "1", true},
		{"mangled counts as first", []string{"a.b=1; a_b=2"}, "a_b", "1", true},
		{"asked with a point", []string{"a.b=1"}, "a.b", "", false},
		{"open bracket", []string{"a[b=1"}, "a_b", "1", true},
		{"array", []string{"a[b]=1"}, "a", "", false},
		{"array, list form", []string{"a[]=1"}, "a", "", false},
		{"array then text", []string{"a[b]=1; a=2"}, "a", "", false},
		{"text then array", []string{"a=2; a[b]=1"}, "a", "", false},
		{"other array", []string{"ab[b]=1; a=2"}, "a", "2", true},
		{"no name", []string{"=1; a=2"}, "a", "2", true},
		{"empty pairs", []string{";; ; a=2"}, "a", "2", true},
		{"last that counts", []string{long + "a=1"}, "a", "1", true},
		{"one too many", []string{long + "x=1;a=1"}, "a", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := FindCookie(tt.headers, tt.cookie)
			if got != tt.want || ok != tt.ok {
				t.Errorf("FindCookie(%q, %q) = %q, %v", tt.headers, tt.cookie, got, ok)
			}
		})
	}
}

func TestParseLoginCookie(t *testing.T) {
	c, ok := ParseLoginCookie("a b|12|t|h")
	if !ok || c.Login != "a b" || c.Token != "t" || c.HMAC != "h" || c.Expires() != 12 {
		t.Errorf("%+v %v", c, ok)
	}
	for _, bad := range []string{"", "|", "a|1|t", "a|1|t|h|", "a%7C1%7Ct%7Ch"} {
		if c, ok := ParseLoginCookie(bad); ok {
			t.Errorf("%q: %+v", bad, c)
		}
	}
	if _, ok := ParseLoginCookie("|||"); !ok {
		t.Error("four empty parts are four parts")
	}
}

func TestLoginCookieVerify(t *testing.T) {
	const (
		expiration = "1796468063"
		editorPass = "$wp$2y$10$3bdRCGQCad0HLnuzu0yOBu.j7w5/FNESwpnmmVOXobubcOu7sBa86"
		editorMAC  = "ea473a0cc5d22f14ec1d4416e6bfe2b6dba150da985720b28433f66a8ea93538"
	)
	end := time.Unix(1796468063, 0)
	before := end.Add(-time.Hour)

	genuine := []struct {
		login, userPass, mac string
		scheme               Scheme
	}{
		{"editor1", editorPass, editorMAC, SchemeLoggedIn},
		{"editor1", editorPass, "a108f19860cecb0d882ceaf9db0b6ecc5b495f64ca66c7e655cb1f1120da69e8", SchemeAuth},
		{"editor1", editorPass, "d987750d51985a656ff8a521c3c5b4a45c5950dce5c8021ff626d29f9e537bf4", SchemeSecureAuth},
		{"admin", "$wp$2y$10$ImYeVM88ivtLYe1B.TRKkeF01L8NnpN2YlRofWFkGZDULTAOYvgT6",
			"7602627e5b99c130bab6605b42a984dc2bf9c4f355afffdfc680a42906871b59", SchemeLoggedIn},
		{"oldie", "$P$BtOh5EL/.xPNeuEoWGoQMHoA9VrKnw.",
			"ff632e76a3b0494ecd93fe7712283153e2de234916f8893be373d02c9ffa6b9a", SchemeLoggedIn},
		{"plain", "$2y$10$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz01234",
			"455f6e55598dbd70cfb8b83679214bc546d71c3ad1187c724d3bb3d5d37e5e71", SchemeLoggedIn},
	}
	for _, g := range genuine {
		value := g.login + "|" + expiration + "|" + testToken + "|" + g.mac
		c, ok := ParseLoginCookie(value)
		if !ok || !c.Verify(g.userPass, Salt(g.scheme, testKeys, nil), before, false) {
			t.Errorf("%s %s refused", g.login, g.scheme)
		}
		for _, scheme := range []Scheme{SchemeAuth, SchemeSecureAuth, SchemeLoggedIn, SchemeNonce, "other"} {
			if scheme != g.scheme && c.Verify(g.userPass, Salt(scheme, testKeys, nil), before, false) {
				t.Errorf("%s %s accepted as %s", g.login, g.scheme, scheme)
			}
		}
	}

	header := "wordpress_logged_in_21822f6896c2a8ee7eaa0caffedf3aad=editor1%7C1796468063%7C" + testToken + "%7C" + editorMAC
	value, _ := FindCookie([]string{"x=1; " + header}, NewCookieNames("http://127.0.0.1:8194", nil).LoggedIn)
	wire, ok := ParseLoginCookie(value)
	if !ok || !wire.Verify(editorPass, Salt(SchemeLoggedIn, testKeys, nil), before, false) {
		t.Errorf("wire form refused: %q", value)
	}

	tests := []struct {
		name, value, userPass string
		now                   time.Time
		grace, want           bool
	}{
		{"last second", "", editorPass, end, false, true},
		{"expired", "", editorPass, end.Add(time.Second), false, false},
		{"expired, grace", "", editorPass, end.Add(time.Second), true, true},
		{"end of grace", "", editorPass, end.Add(time.Hour), true, true},
		{"grace over", "", editorPass, end.Add(time.Hour + time.Second), true, false},
		{"password changed", "", "$wp$2y$10$3bdRCGQCad0HLnuzu0yOBu.j7w5/FNESwpnmmVOXobubcOu7sBa87", before, false, false},
		{"no stored password", "", "", before, false, false},
		{"short stored password", "", "$P$", before, false, false},
		{"login in other case", "EDITOR1|1796468063|" + testToken + "|" + editorMAC, editorPass, before, false, false},
		{"longer life", "editor1|1796468064|" + testToken + "|" + editorMAC, editorPass, before, false, false},
		{"same life, other text", "editor1|01796468063|" + testToken + "|" + editorMAC, editorPass, before, false, false},
		{"no life", "editor1||" + testToken + "|" + editorMAC, editorPass, before, false, false},
		{"other token", "editor1|1796468063|x|" + editorMAC, editorPass, before, false, false},
		{"upper-case HMAC", "editor1|1796468063|" + testToken + "|" + strings.ToUpper(editorMAC), editorPass, before, false, false},
		{"no HMAC", "editor1|1796468063|" + testToken + "|", editorPass, before, false, false},
	}
	for _, tt := range tests {
		c := wire
		if tt.value != "" {
			c, _ = ParseLoginCookie(tt.value)
		}
		if got := c.Verify(tt.userPass, Salt(SchemeLoggedIn, testKeys, nil), tt.now, tt.grace); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// Without a secret anyone could sign.
func TestNoSecretVerifiesNothing(t *testing.T) {
	now := time.Unix(1795258463, 0)
	c := LoginCookie{Login: "admin", Token: "t", expiration: "1999999999"}
	c.HMAC = c.sign("$P$BtOh5EL/.xPNeuEoWGoQMHoA9VrKnw.", "")
	if c.Verify("$P$BtOh5EL/.xPNeuEoWGoQMHoA9VrKnw.", "", now, false) {
		t.Error("cookie verified without a secret")
	}
	if VerifyNonce(Nonce(NonceTick(now), 1, "t", ""), now, 1, "t", "") != 0 {
		t.Error("nonce verified without a secret")
	}
}

func TestSessionValid(t *testing.T) {
	now := time.Unix(1796468063, 0)
	const key = "362759a453d9383ea51ce45744c4afa90867d8384ef36dc329ff28a91044b507"
	session := func(v php.Value) *php.Array {
		tokens := &php.Array{}
		tokens.SetString("0000", int64(1))
		tokens.SetString(key, v)
		return tokens
	}
	entry := func(expiration php.Value) *php.Array {
		a := &php.Array{}
		a.SetString("ua", "x")
		a.SetString("expiration", expiration)
		return a
	}
	tests := []struct {
		name   string
		tokens php.Value
		want   bool
	}{
		{"last second", session(entry(int64(1796468063))), true},
		{"over", session(entry(int64(1796468062))), false},
		{"text", session(entry("1796468063")), true},
		{"null", session(entry(nil)), false},
		{"no expiration", session(php.List()), false},
		{"bare int", session(int64(1796468063)), true},
		{"bare int, over", session(int64(1796468062)), false},
		{"bare text", session("1796468063"), false},
		{"true", session(true), false},
		{"other token", php.List(entry(int64(1796468063))), false},
		{"empty", php.List(), false},
		{"no map", false, false},
		{"null", nil, false},
		{"nil array", (*php.Array)(nil), false},
	}
	for _, tt := range tests {
		if got := SessionValid(tt.tokens, testToken, now); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	if sha256Hex(testToken) != key {
		t.Error("session key vector")
	}
}

func FuzzLoginCookie(f *testing.F) {
	f.Add("wordpress_logged_in_x=editor1%7C1796468063%7Ct%7Ch", "wordpress_logged_in_x", "$P$BtOh5EL/.")
	f.Add("a[b]=1; a=2", "a", "")
	f.Add("a.b=%7C%7c%|%", "a_b", "$2y$")
	f.Add("a=|||; a", "a", "abc")
	f.Add("a=|9227000000000000000||", "a", "0")
	f.Add("a[;a=9|99999999999999999999|x|", "a_", "$wp")
	f.Fuzz(func(t *testing.T, header, name, userPass string) {
		value, ok := FindCookie([]string{header, header}, name)
		if !ok && value != "" {
			t.Fatalf("value %q of no cookie", value)
		}
		if v, found := FindCookie(strings.Split(header, ";"), name); found != ok || v != value {
			t.Fatalf("%q, %v in one header, %q, %v in several", value, ok, v, found)
		}
		c, ok := ParseLoginCookie(value)
		if !ok {
			return
		}
		now := time.Unix(1796468063, 0)
		if c.Verify(userPass, "secret", now, true) {
			t.Fatalf("forged: %+v", c)
		}
		c.HMAC = c.sign(userPass, "secret")
		want := c.expiration != "" && c.Expires() >= now.Unix()
		if c.Verify(userPass, "secret", now, false) != want {
			t.Fatalf("genuine cookie: %+v, want %v", c, want)
		}
	})
}
