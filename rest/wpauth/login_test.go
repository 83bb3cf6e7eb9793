package wpauth

import (
	"strings"
	"testing"
)

func TestSanitizeLogin(t *testing.T) {
	tests := []struct{ in, want string }{
		{"admin", "admin"},
		{"  a  b\t\nc ", "a b c"},
		{"a%20b%zz%4%41", "ab%zz%4"},
		{"%%4141", "%41"},
		{"a&amp;b", "ab"},
		{"a&b", "a&b"},
		{"a&b c;d", "ad"},
		{"a&;b", "a&;b"},
		{"a&;b;c", "ac"},
		{"a&b\n;c", "a&b ;c"},
		{"a&\nb;c", "a& b;c"},
		{"&&&x;y", "y"},
		{"a;b&c", "a;b&c"},
		{"x&y&", "x&y&"},
		{"a%26amp;b", "aamp;b"},
		{"user@example.org", "user@example.org"},
		{"<b>Müller</b>", "Muller"},
		{"a <script>x</script> b", "a x b"},
		{"žluťoučký", "zlutoucky"},
		{"", ""},
	}
	for _, tt := range tests {
		if got := SanitizeLogin(tt.in, "en_US"); got != tt.want {
			t.Errorf("SanitizeLogin(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := SanitizeLogin("Müller", "de_DE"); got != "Mueller" {
		t.Errorf("in German: %q", got)
	}
}

func FuzzSanitizeLogin(f *testing.F) {
	f.Add("a&amp;b %41 <b>é</b>")
	f.Add(strings.Repeat("&", 100) + "\n;")
	f.Fuzz(func(t *testing.T, s string) {
		got := SanitizeLogin(s, "en_US")
		if strings.ContainsAny(got, "\t\n\v\f\r") || strings.Contains(got, "  ") {
			t.Fatalf("SanitizeLogin(%q) = %q", s, got)
		}
		if got := reference.ReplaceAllString(s, ""); got != removeReferencesSlowly(s) {
			t.Fatalf("without references %q is %q, want %q", s, got, removeReferencesSlowly(s))
		}
	})
}

// removeReferencesSlowly looks for the end again at every "&".
func removeReferencesSlowly(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '&' {
			line, _, _ := strings.Cut(s[i:], "\n")
			if len(line) > 2 {
				if n := strings.IndexByte(line[2:], ';'); n >= 0 {
					i += 2 + n
					continue
				}
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}
