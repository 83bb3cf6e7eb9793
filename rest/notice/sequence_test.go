package notice

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

const testGrace = 3 * time.Second

// counted is a Sequence with a clock, that is driven by short commands.
type counted struct {
	*Sequence
	now    time.Time
	epochs map[string]string
}

func newCounted(from uint64) *counted {
	c := &counted{Sequence: NewSequence(testGrace), now: noon, epochs: map[string]string{
		"a": strings.Repeat("a", 32), "b": strings.Repeat("b", 32)}}
	c.Begin(Mark{c.epochs["a"], from}, c.now)
	c.now = c.now.Add(testGrace)
	c.Overdue(c.now) // settled
	return c
}

// do runs commands and returns what they answer: "a7" is the arrival of a notice, "row a7"
// the row's value, "+2s" passes time.
func (c *counted) do(t *testing.T, commands string) string {
	t.Helper()
	var said []string
	for command := range strings.SplitSeq(commands, ", ") {
		if wait, ok := strings.CutPrefix(command, "+"); ok {
			d, err := time.ParseDuration(wait)
			if err != nil {
				t.Fatal(err)
			}
			c.now = c.now.Add(d)
			if lost, everything := c.Overdue(c.now); everything {
				said = append(said, fmt.Sprintf("%d lost", lost))
			}
			continue
		}
		mark, row := strings.CutPrefix(command, "row ")
		var n uint64
		if _, err := fmt.Sscanf(mark[1:], "%d", &n); err != nil {
			t.Fatal(err)
		}
		m := Mark{c.epochs[mark[:1]], n}
		if !row {
			said = append(said, string(c.Arrived(m, c.now)))
		} else if c.Taken(m, c.Last(), c.now) {
			said = append(said, "restarted")
		}
	}
	return strings.Join(said, ", ")
}

// TestSequence: whatever happens to notices on their way, none is missing unnoticed.
func TestSequence(t *testing.T) {
	for name, c := range map[string]struct{ commands, want string }{
		"in order":                   {"a6, row a6, a7, a8, row a8, +1h", "applied, applied, applied"},
		"reordered":                  {"a8, a6, a7, +1h", "applied, applied, applied"},
		"lost in the middle":         {"a6, a8, +2s, +1s", "applied, applied, 1 lost"},
		"lost at the end":            {"a6, row a7, +2s, +1s, +1h", "applied, 1 lost"},
		"all lost":                   {"row a9, +3s", "4 lost"},
		"late":                       {"row a6, +3s, a6, a7", "1 lost, late, applied"},
		"late twice":                 {"row a6, +3s, a6, a6", "1 lost, late, repeated"},
		"doubled":                    {"a6, a6", "applied, repeated"},
		"doubled out of order":       {"a8, a8", "applied, repeated"},
		"taken before the beginning": {"a5, a3", "late, late"},
		"the row falls back":         {"a6, a7, row a6, a7", "applied, applied, restarted, applied"},
		"the row is another":         {"a6, row b0, b1", "applied, restarted, applied"},
		"a notice of another row":    {"a6, b4, b5, +3s", "applied, restarted, applied, 0 lost"},
		"back and forth":             {"b1, a6, b2", "restarted, restarted, restarted"},
		"a leap":                     {"a20006, row a20006", "restarted"},
		"a leap of the row":          {"row a20006, a20006", "restarted, late"},
		"a gap is given up in parts": {"row a6, +2s, row a7, +1s, +2s", "1 lost, 1 lost"},
		"gaps on both sides":         {"a7, a9, row a10, +3s, a8", "applied, applied, 3 lost, late"},
		"the last arrives in time":   {"row a6, +2s, a6, +1h", "applied"},
		"nothing":                    {"row a5, +1h, row a5", ""},
	} {
		if got := newCounted(5).do(t, c.commands); got != c.want {
			t.Errorf("%s: %s: %q, want %q", name, c.commands, got, c.want)
		}
	}
}

// TestSequenceSettles: requests that had taken a number before the count began end unseen.
func TestSequenceSettles(t *testing.T) {
	s := NewSequence(testGrace)
	s.Begin(Mark{strings.Repeat("a", 32), 5}, noon)
	if _, everything := s.Overdue(noon.Add(testGrace - 1)); everything {
		t.Error("everything before they may have ended")
	}
	if lost, everything := s.Overdue(noon.Add(testGrace)); lost != 0 || !everything {
		t.Errorf("%d lost, everything %v", lost, everything)
	}
	if _, everything := s.Overdue(noon.Add(time.Hour)); everything {
		t.Error("everything again")
	}
}

// TestSequenceFlood: many notices, shuffled, some of them lost, need little memory, and each
// loss is found within the grace and no sooner.
func TestSequenceFlood(t *testing.T) {
	c := newCounted(0)
	random := rand.New(rand.NewPCG(1, 2))
	const count = 200_000
	missing, found := 0, 0
	var way []uint64 // notices on their way
	for n := uint64(1); n <= count; n++ {
		if random.IntN(100) == 0 {
			missing++
		} else {
			way = append(way, n)
		}
		if len(way) > 50 {
			i := random.IntN(len(way))
			if v := c.Arrived(Mark{c.epochs["a"], way[i]}, c.now); v != Applied {
				t.Fatalf("number %d: %s", way[i], v)
			}
			way[i] = way[len(way)-1]
			way = way[:len(way)-1]
		}
		if n%100 == 0 { // 2000 a second
			c.now = c.now.Add(50 * time.Millisecond)
			c.Taken(Mark{c.epochs["a"], n}, c.Last(), c.now)
			lost, _ := c.Overdue(c.now)
			found += lost
		}
		if len(c.due) > 50 || len(c.arrived) > maxAhead || len(c.lost) > maxAhead {
			t.Fatalf("%d deadlines, %d ahead, %d lost", len(c.due), len(c.arrived), len(c.lost))
		}
	}
	lost, _ := c.Overdue(c.now.Add(testGrace))
	if found += lost; found < missing || found > missing+1000 { // some are on their way for long
		t.Errorf("%d lost, found %d", missing, found)
	}
}

func FuzzParseMark(f *testing.F) {
	for _, seed := range []string{"0." + strings.Repeat("a", 32), "12.", "+1." + strings.Repeat("0", 32), "", ".", "1.A"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMark(text)
		if err == nil && (!m.valid() || !strings.HasSuffix(text, "."+m.Epoch)) {
			t.Errorf("%q is %+v", text, m)
		}
	})
}
