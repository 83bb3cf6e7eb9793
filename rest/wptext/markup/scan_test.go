package markup

import (
	"strings"
	"testing"
)

func TestCharacterClasses(t *testing.T) {
	for name, class := range map[string]struct {
		is  func(byte) bool
		all string
	}{
		"IsPlainSpace": {IsPlainSpace, "\t\n\r "},
		"IsSpace":      {IsSpace, "\t\n\v\f\r "},
		"IsDigit":      {IsDigit, "0123456789"},
		"IsHex":        {IsHex, "0123456789ABCDEFabcdef"},
		"IsLetter":     {IsLetter, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"},
		"IsWord":       {IsWord, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"},
	} {
		for c := range 256 {
			if got, want := class.is(byte(c)), strings.IndexByte(class.all, byte(c)) >= 0; got != want {
				t.Errorf("%s(%#x) is %v", name, c, got)
			}
		}
	}
}

// TestSpaces: white space as WordPress counts it in texts.
func TestSpaces(t *testing.T) {
	for _, space := range []string{" ", "\t", "\n", "\r", "\u00a0", "&nbsp;"} {
		if SpaceAt("x"+space+"y", 1) != len(space) || !SpaceBefore("x"+space+"y", 1+len(space)) {
			t.Errorf("%q is no white space", space)
		}
	}
	for _, other := range []string{"x", "\v", "\f", "&nbsp", "nbsp;", ";", "\xa0", "\xc2", "é", "&amp;"} {
		if SpaceAt(other, 0) != 0 || SpaceBefore(other, len(other)) {
			t.Errorf("%q is white space", other)
		}
	}
	if SpaceAt("a", 1) != 0 || SpaceBefore("a", 0) {
		t.Error("there is white space beyond the text")
	}
	const run = "a \u00a0&nbsp;\n\vb"
	if got := SkipSpaces(run, 1); run[got:] != "\vb" {
		t.Errorf("SkipSpaces stops at %q", run[got:])
	}
	if got := SkipWhite("a \v\f\r\n\tb", 1); got != 7 {
		t.Errorf("SkipWhite stops at %d", got)
	}
	if from, limited := WhiteBefore("a \v b", 4, 0), WhiteBefore("a   b", 4, 2); from != 1 || limited != 2 {
		t.Errorf("WhiteBefore starts at %d, at a limit at %d", from, limited)
	}
	if DigitAt("a1", 0) || !DigitAt("a1", 1) || DigitAt("a1", 2) || DigitAt("a1", -1) {
		t.Error("DigitAt")
	}
}

func TestFold(t *testing.T) {
	for _, tt := range []struct {
		s, lower string
		want     int
	}{
		{"abc", "b", 1}, {"aBC", "bc", 1}, {"aab", "ab", 1}, {"ab", "abc", -1}, {"", "a", -1}, {"x-Y-y", "-y", 1}, {"bB</X>", "</x", 2}, {"Ab ab", "ab", 0},
	} {
		if got := IndexFold(tt.s, tt.lower); got != tt.want {
			t.Errorf("IndexFold(%q, %q) = %d", tt.s, tt.lower, got)
		}
	}
	for in, want := range map[string]string{"": "", "abc": "abc", "aBC-ÄÉ[Z": "abc-ÄÉ[z"} {
		if got := LowerASCII(in); got != want {
			t.Errorf("LowerASCII(%q) = %q", in, got)
		}
	}
	if !HasPrefixFold("ABc", "abC") || HasPrefixFold("ab", "abc") || HasPrefixFold("xbc", "abc") {
		t.Error("HasPrefixFold")
	}
	if !IsASCII("a\x7f") || IsASCII("a\x80") || !IsASCII("") {
		t.Error("IsASCII")
	}
}

func TestFinder(t *testing.T) {
	f := NewFinder("a--b--", "--")
	for _, step := range [][2]int{{0, 1}, {1, 1}, {2, 4}, {3, 4}, {5, -1}, {6, -1}, {9, -1}} {
		if got := f.Next(step[0]); got != step[1] {
			t.Errorf("from %d: %d, want %d", step[0], got, step[1])
		}
	}
	if IndexFrom("abab", 'b', 2) != 3 || IndexFrom("abab", 'b', 4) != -1 || IndexFrom("abab", 'c', 0) != -1 || IndexFrom("a", 'a', 9) != -1 {
		t.Error("IndexFrom")
	}
}

func TestPatch(t *testing.T) {
	p := Patch{Src: "aaaa"}
	hits := 0
	for i := range p.Each("aa") {
		if hits++; i == 1 {
			p.Replace(i, i+2, "b", "c")
		}
	}
	if got := p.String(); got != "abca" || hits != 2 { // none in "a" behind the replaced text
		t.Errorf("%d hits, %q", hits, got)
	}
	p = Patch{Src: "xaxaxa"}
	for i := range p.Each("x") {
		p.Skip(i + 3)
		p.Replace(i, i, "-")
		p.Skip(0) // a smaller offset changes nothing
	}
	if got := p.String(); got != "-xaxa-xa" {
		t.Errorf("skipping: %q", got)
	}
	p = Patch{Src: "aXbXc"}
	for range p.Each("X") {
		break
	}
	if p.String() != "aXbXc" || p.Done != 0 {
		t.Errorf("nothing replaced: %q", p.String())
	}
	if n := testing.AllocsPerRun(10, func() {
		p := Patch{Src: "abcabc"}
		for range p.Each("b") {
			continue
		}
		_ = p.String()
	}); n != 0 {
		t.Errorf("%v allocations without a replacement", n)
	}
}

func TestReplaceRuns(t *testing.T) {
	isX := func(c byte) bool { return c == 'x' }
	for _, tt := range []struct {
		in    string
		least int
		with  string
		want  string
	}{
		{"", 1, "-", ""}, {"abc", 1, "-", "abc"}, {"xaxxbxxx", 1, "-", "-a-b-"}, {"xaxxbxxx", 2, "", "xab"}, {"xaxxb", 1, "x", "xaxb"}, {"xxx", 3, "yy", "yy"},
	} {
		if got := ReplaceRuns(tt.in, tt.least, tt.with, isX); got != tt.want {
			t.Errorf("%q, at least %d: %q, want %q", tt.in, tt.least, got, tt.want)
		}
	}
}

func TestWordSet(t *testing.T) {
	set := WordSet(" a\nb-c  d\t")
	if len(set) != 3 || !set["a"] || !set["b-c"] || !set["d"] || set[""] {
		t.Errorf("%v", set)
	}
}
