package fingerprint

import (
	"strings"
	"testing"
	"time"
)

type place struct{ Town, Country string }

type earlier struct {
	place
	Name  string
	IDs   []int64
	Terms map[string]string
	Next  *earlier
}

// later is the same with fields that moved, and new ones.
type later struct {
	Online  bool
	Terms   map[string]string
	IDs     []int64
	Country string
	Tags    []string
	Town    string
	Next    *later
	Seats   *int
	Name    string
}

// TestTextOfLaterBuilds checks that moved and new fields change nothing.
func TestTextOfLaterBuilds(t *testing.T) {
	terms := map[string]string{"b": "", "a": "x"}
	const want = `{"Country""cz","IDs"[2,1,],"Name""n\"","Next"{"Name""next"},"Terms"{"a":"x","b":""}}`
	for name, v := range map[string]any{
		"earlier": earlier{place{Country: "cz"}, `n"`, []int64{2, 1}, terms, &earlier{Name: "next"}},
		"later":   &later{Country: "cz", Name: `n"`, IDs: []int64{2, 1}, Terms: terms, Next: &later{Name: "next"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := Text(v); got != want || err != nil {
				t.Errorf("%s, %v, want %s", got, err, want)
			}
		})
	}
}

// TestTextDiffers checks that different values have different texts.
func TestTextDiffers(t *testing.T) {
	seen := map[string]int{}
	one := 1
	for i, v := range []any{
		nil, earlier{}, earlier{Name: "a"}, earlier{Name: `a","IDs"null`}, earlier{IDs: []int64{}}, earlier{IDs: []int64{0}}, earlier{IDs: []int64{0, 0}},
		earlier{Terms: map[string]string{}}, earlier{Terms: map[string]string{"a": ""}}, earlier{Next: &earlier{}}, earlier{place: place{Town: "a"}},
		later{Online: true}, later{Seats: new(int)}, later{Seats: &one}, later{Tags: []string{"a,b"}}, later{Tags: []string{"a", "b"}},
		1.5, uint8(7), true, [2]bool{true},
	} {
		text, err := Text(v)
		if err != nil {
			t.Fatal(err)
		}
		if other, found := seen[text]; found {
			t.Errorf("values %d and %d have the text %s", other, i, text)
		}
		seen[text] = i
	}
}

// TestTextRefuses checks that nothing is left out silently.
func TestTextRefuses(t *testing.T) {
	for name, v := range map[string]any{
		"unexported fields": struct{ At time.Time }{time.Unix(1, 0)},
		"a function":        struct{ F func() }{func() {}},
		"in a list":         []any{make(chan int)},
		"in a map":          map[string]any{"a": make(chan int)},
	} {
		t.Run(name, func(t *testing.T) {
			if text, err := Text(v); err == nil || !strings.Contains(err.Error(), "can't be") {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
}
