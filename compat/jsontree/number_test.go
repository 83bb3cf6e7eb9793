package jsontree

import "testing"

// Numbers are compared exactly: 2^53 and its neighbour differ, and an exponent that would
// need gigabytes is not evaluated.
func TestSameValue(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"1", "1.0", true}, {"1e2", "100", true}, {"0.1", "0.10", true}, {"-0", "0", true}, {"1", "2", false},
		{"9007199254740993", "9007199254740992", false}, {"1e999999999", "1e999999998", false}, {"1e999999999", "1e999999999", true},
		{`"\u010d\/"`, `"č/"`, true}, {`"a"`, `"b"`, false}, {"true", "true", true}, {"true", "false", false}, {"null", "0", false}, {`"1"`, "1", false},
	} {
		want, err := Parse(c.a)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Parse(c.b)
		if err != nil {
			t.Fatal(err)
		}
		if same := SameValue(want, got); same != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, same)
		}
	}
}

func TestNumberOfText(t *testing.T) {
	for text, want := range map[string]string{`"50.08"`: "1252/25", "-2": "-2/1", `"x"`: "", `""`: "", "null": ""} {
		node, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := node.Number(); ok != (want != "") || ok && n.String() != want {
			t.Errorf("%s: %v", text, n)
		}
	}
}
