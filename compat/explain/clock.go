package explain

import (
	"regexp"
	"slices"
	"time"

	"calbridge/compat/jsontree"
)

// clockText matches a time with seconds, as it stands in URLs, texts and headers.
var clockText = regexp.MustCompile(`(\d{4}-\d\d-\d\d)([ T+]|%20|%2[bB]|\\u002b)(\d\d)(:|%3A|%3a)(\d\d)(?:%3A|%3a|:)(\d\d)`)

// clock takes the target's times where they are those of the answer: the recorded one lies
// between those of two answers of the target, or, where both sides answered at once, within
// the time that an answer takes.
func (x *explaining) clock(p *pair) {
	if x.Earlier == nil {
		return
	}
	earlier, ok := readDocument(x.Earlier.Body)
	if !ok {
		return
	}
	x.moved(p, earlier.root, p.recorded.root, p.got.root, nil)
}

// moved visits the values that all three answers have in the same place.
func (x *explaining) moved(p *pair, earlier, recorded, got *jsontree.Node, path jsontree.Path) {
	switch {
	case earlier == nil || recorded == nil || got == nil || earlier.Kind != recorded.Kind || recorded.Kind != got.Kind || recorded.Raw() == got.Raw():
	case recorded.Kind == jsontree.String:
		if between(earlier.Text(), recorded.Text(), got.Text()) {
			p.use(recorded, got)
			p.add(Clock, Place(path.String()), recorded.Text(), got.Text())
		}
	case recorded.Kind == jsontree.Object:
		for i, name := range recorded.Names {
			x.moved(p, earlier.Member(name), recorded.Items[i], got.Member(name), recorded.Step(path, i))
		}
	case recorded.Kind == jsontree.Array && len(earlier.Items) == len(recorded.Items) && len(recorded.Items) == len(got.Items):
		for i := range recorded.Items {
			x.moved(p, earlier.Items[i], recorded.Items[i], got.Items[i], recorded.Step(path, i))
		}
	}
}

// between reports whether a text differs from an earlier and a later one only in times that
// lie between theirs.
func between(earlier, text, later string) bool {
	if clockText.ReplaceAllString(earlier, "T") != clockText.ReplaceAllString(text, "T") || clockText.ReplaceAllString(text, "T") != clockText.ReplaceAllString(later, "T") {
		return false
	}
	a, b, c := times(earlier), times(text), times(later)
	if a == nil || len(a) != len(b) || len(b) != len(c) {
		return false
	}
	for i := range b {
		if b[i].Before(a[i]) || b[i].After(c[i]) {
			return false
		}
	}
	// At least one must have moved by itself; a constant date is not a clock.
	return !slices.Equal(a, c)
}

func times(text string) []time.Time {
	var all []time.Time
	for _, m := range clockText.FindAllStringSubmatch(text, -1) {
		at, err := time.Parse(time.DateTime, m[1]+" "+m[3]+":"+m[5]+":"+m[6])
		if err != nil {
			return nil
		}
		all = append(all, at)
	}
	return all
}

// longestMove is the longest time between two answers that are compared for their times.
const longestMove = 10 * time.Minute

// Moved reports whether two bodies of one server differ only in times that went on.
func Moved(earlier, later string) bool {
	if clockText.ReplaceAllString(earlier, "T") != clockText.ReplaceAllString(later, "T") {
		return false
	}
	a, b := times(earlier), times(later)
	if a == nil || len(a) != len(b) {
		return false
	}
	for i := range a {
		if went := b[i].Sub(a[i]); went < 0 || went > longestMove {
			return false
		}
	}
	return true
}
