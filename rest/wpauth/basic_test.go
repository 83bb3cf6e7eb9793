package wpauth

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestParseBasic(t *testing.T) {
	encode := base64.StdEncoding.EncodeToString
	tests := []struct {
		name, header, user, pass string
		ok                       bool
	}{
		{"plain", "Basic " + encode([]byte("admin:x y")), "admin", "x y", true},
		{"scheme in lower case", "basic " + encode([]byte("admin:x")), "admin", "x", true},
		{"scheme in upper case", "BASIC " + encode([]byte("admin:x")), "admin", "x", true},
		{"several blanks", "Basic    " + encode([]byte("admin:x")), "admin", "x", true},
		{"colon in the password", "Basic " + encode([]byte("admin:a:b")), "admin", "a:b", true},
		{"no user", "Basic " + encode([]byte(":x")), "", "x", true},
		{"no password", "Basic " + encode([]byte("admin:")), "", "", false},
		{"neither", "Basic " + encode([]byte(":")), "", "", false},
		{"no colon", "Basic " + encode([]byte("admin")), "", "", false},
		{"utf-8", "Basic " + encode([]byte("příliš:žluť")), "příliš", "žluť", true},
		{"no padding", "Basic YWRtaW46eA", "admin", "x", true},
		{"padding", "Basic YWRtaW46eA==", "admin", "x", true},
		{"junk inside", "Basic YWRt!aW\r46 eA==", "admin", "x", true},
		{"junk behind", "Basic YWRtaW46eHh4==-_!", "admin", "xxx", true},
		{"letters behind the padding go on", "Basic YWRtaW46eA==eA", "admin", "x\x07\x80", true},
		{"url alphabet is junk", "Basic YWRtaW46-_eA==", "admin", "x", true},
		{"half a byte at the end", "Basic YWRtaW46eHh4Y", "admin", "xxx", true},
		{"NUL in the password", "Basic " + encode([]byte("admin:x\x00y")), "admin", "x", true},
		{"NUL before the colon", "Basic " + encode([]byte("ad\x00min:x")), "", "", false},
		{"nothing decodable", "Basic !!!", "", "", false},
		{"scheme and blank", "Basic ", "", "", false},
		{"scheme alone", "Basic", "", "", false},
		{"tab", "Basic\t" + encode([]byte("admin:x")), "", "", false},
		{"other scheme", "Bearer " + encode([]byte("admin:x")), "", "", false},
		{"longer scheme", "Basics " + encode([]byte("admin:x")), "", "", false},
		{"empty", "", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			user, pass, ok := ParseBasic(tt.header)
			if user != tt.user || pass != tt.pass || ok != tt.ok {
				t.Errorf("ParseBasic(%q) = %q, %q, %v", tt.header, user, pass, ok)
			}
		})
	}
}

func FuzzParseBasic(f *testing.F) {
	f.Add("Basic YWRtaW46eA==")
	f.Add("basic   YWRt=aW46eHh4==-_!")
	f.Add("Bearer x")
	f.Add("Basic OnA=")
	f.Fuzz(func(t *testing.T, header string) {
		user, pass, ok := ParseBasic(header)
		if strings.ContainsAny(user, ":\x00") || strings.Contains(pass, "\x00") || ok != (pass != "") {
			t.Fatalf("%q, %q, %v", user, pass, ok)
		}
		// Strict Base64 means the same.
		strict, err := base64.StdEncoding.DecodeString(header)
		if err == nil && !strings.ContainsAny(header, "\r\n") && decodeBase64(header) != string(strict) {
			t.Fatalf("decodeBase64(%q) = %q", header, decodeBase64(header))
		}
		// What a client sends comes out again.
		if ok {
			u, p, again := ParseBasic("Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+pass)))
			if !again || u != user || p != pass {
				t.Fatalf("%q:%q came back as %q:%q", user, pass, u, p)
			}
		}
	})
}
