package changes

import (
	"encoding/base64"
	"strings"
	"testing"

	"calbridge/wpstore/journal"
)

var secret = []byte(strings.Repeat("s", 32))

func exampleToken() token {
	return token{
		stage: syncing, from: journal.Position{Run: "0123456789abcdef", Seq: 7}, since: 1_700_000_000, at: 1_700_000_001, end: journal.Position{Run: "fedcba9876543210", Seq: 9}, cursor: -1,
		args: hashOf([]byte("a")), filter: hashOf([]byte("f")), rights: hashOf([]byte("r")), look: hashOf([]byte("l")),
	}
}

// TestSyncTo: a sync starts over if the run that began it has ended.
func TestSyncTo(t *testing.T) {
	here := journal.Position{Run: "fedcba9876543210", Seq: 12}
	under, begins, anew := exampleToken(), exampleToken(), exampleToken()
	begins.stage = synced
	anew.end.Run = "another run's id"
	for _, c := range []struct {
		name   string
		of     token
		end    journal.Position
		cursor int64
		at     int64
	}{
		{"under way", under, under.end, -1, under.at},
		{"begins", begins, here, 0, 1_700_000_007},
		{"of another run", anew, here, 0, anew.at},
	} {
		if c.of.syncTo(here, 1_700_000_007); c.of.stage != syncing || c.of.end != c.end || c.of.cursor != c.cursor || c.of.at != c.at {
			t.Errorf("%s: %+v", c.name, c.of)
		}
	}
}

// TestTokens: tokens are read as they were written, by their journal alone, and all have the
// same length.
func TestTokens(t *testing.T) {
	s := newSealer("one", secret)
	full := exampleToken()
	text := s.seal(&full)
	if got, reason := s.open(text); reason != "" || got != full {
		t.Errorf("%s: %+v", reason, got)
	}
	empty := token{stage: synced, from: journal.Position{Run: "0123456789abcdef"}}
	if other := s.seal(&empty); len(other) != len(text) || len(text) > maxToken {
		t.Errorf("tokens of %d and %d bytes", len(text), len(other))
	}
	if s.seal(&full) == text {
		t.Error("the same token twice")
	}
	raw, _ := base64.RawURLEncoding.DecodeString(text)
	changed := func(at int, by byte) string {
		b := append([]byte(nil), raw...)
		b[at] ^= by
		return base64.RawURLEncoding.EncodeToString(b)
	}
	for name, test := range map[string]struct {
		of   *sealer
		text string
		want string
	}{
		"empty":           {s, "", reasonMalformed},
		"no Base64":       {s, "%%%", reasonMalformed},
		"short":           {s, text[:10], reasonMalformed},
		"long":            {s, strings.Repeat("A", maxToken+1), reasonMalformed},
		"another version": {s, changed(0, 1), reasonForeign},
		"cut":             {s, text[:len(text)-4], reasonForeign},
		"nonce":           {s, changed(3, 1), reasonForeign},
		"contents":        {s, changed(40, 128), reasonForeign},
		"another file":    {newSealer("two", secret), text, reasonForeign},
		"another secret":  {newSealer("one", []byte(strings.Repeat("t", 32))), text, reasonForeign},
	} {
		if _, reason := test.of.open(test.text); reason != test.want {
			t.Errorf("%s: %q, want %q", name, reason, test.want)
		}
	}
}

// FuzzToken: nothing but what was sealed is opened.
func FuzzToken(f *testing.F) {
	s := newSealer("one", secret)
	full := exampleToken()
	sealed := s.seal(&full)
	for _, seed := range []string{"", "A", sealed, sealed[:len(sealed)-1], strings.Repeat("A", 300)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, reason := s.open(text)
		if reason == "" && got != full {
			t.Errorf("%q is opened as %+v", text, got)
		}
	})
}
