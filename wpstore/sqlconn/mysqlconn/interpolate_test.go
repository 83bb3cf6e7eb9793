package mysqlconn

import (
	"database/sql/driver"
	"slices"
	"strings"
	"testing"
)

func FuzzInterpolated(f *testing.F) {
	f.Add("a'b", "\\?")
	f.Fuzz(func(t *testing.T, a, b string) {
		text, ok := interpolated("SELECT ?, ?", []driver.NamedValue{{Value: a}, {Value: b}})
		if !ok {
			t.Fatal("refused")
		}
		// Each text ends at the first quote that no backslash precedes.
		rest, found := strings.CutPrefix(text, "SELECT ")
		var got []string
		for found && rest != "" {
			var one []byte
			i := 1
			for ; rest[i] != '\''; i++ {
				if rest[i] == '\\' {
					i++
					for plain := range 0x100 {
						if escape(byte(plain)) == rest[i] {
							one = append(one, byte(plain))
						}
					}
					continue
				}
				one = append(one, rest[i])
			}
			got = append(got, string(one))
			rest = strings.TrimPrefix(rest[i+1:], ", ")
		}
		if !slices.Equal(got, []string{a, b}) {
			t.Errorf("%q, %q became %s", a, b, text)
		}
	})
}
