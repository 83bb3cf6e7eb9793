package login

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"calbridge/rest/wpauth"
	"calbridge/wpstore/php"
)

func TestCheckedPasswords(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	items := php.List(php.Pairs("password", wpauth.FastHash("apples")), php.Pairs("password", wpauth.FastHash("pears")))
	// Without items nothing fits: what does is cached.
	cached := php.List()
	for _, c := range []struct {
		name, stored, password string
		after                  time.Duration
		want                   bool
	}{
		{"at once", "old", "pears", 0, true},
		{"within the second", "old", "pears", checkedFor - 1, true},
		{"after a second", "old", "pears", checkedFor, false},
		{"another password", "old", "apples", 0, false},
		{"no password", "old", "", 0, false},
		{"hashes that have changed", "new", "pears", 0, false},
		{"a part of the hashes in the password", "ol", "dpears", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := now
			checked := newCheckedPasswords(func() time.Time { return at })
			if key, ok := checked.match("old", items, "pears"); !ok || key != php.IntKey(1) {
				t.Fatalf("the second password: %v %v", key, ok)
			}
			at = at.Add(c.after)
			if key, ok := checked.match(c.stored, cached, c.password); ok != c.want || ok && key != php.IntKey(1) {
				t.Errorf("cached: %v %v, want %v", key, ok, c.want)
			}
		})
	}
	t.Run("failures are not cached", func(t *testing.T) {
		checked := newCheckedPasswords(func() time.Time { return now })
		if _, ok := checked.match("old", items, "plums"); ok {
			t.Fatal("a wrong password fits")
		}
		if checked.matches.EstimatedSize() != 0 {
			t.Error("a failure is cached")
		}
	})
	t.Run("holds no password", func(t *testing.T) {
		checked := newCheckedPasswords(func() time.Time { return now })
		checked.match("old", items, "pears")
		for id, m := range checked.matches.All() {
			if text := fmt.Append(nil, id, m); bytes.Contains(id[:], []byte("pears")) || bytes.Contains(text, []byte("pears")) {
				t.Errorf("%s", text)
			}
		}
	})
}

// BenchmarkPasswordCheck compares a check of each kind of hash with a cached one.
func BenchmarkPasswordCheck(b *testing.B) {
	for _, kind := range []struct{ name, hash string }{
		{"since 6.8", wpauth.FastHash("password")}, {"before 6.8", "$P$BtOh5EL/.Mf6WbjGdDtzl/S680mmou1"},
	} {
		items := php.List(php.Pairs("password", kind.hash))
		for _, step := range []time.Duration{0, checkedFor} {
			b.Run(fmt.Sprintf("%s, cached %v", kind.name, step == 0), func(b *testing.B) {
				at := time.Now()
				checked := newCheckedPasswords(func() time.Time { at = at.Add(step); return at })
				for b.Loop() {
					if _, ok := checked.match(kind.hash, items, "password"); !ok {
						b.Fatal("wrong")
					}
				}
			})
		}
	}
}
