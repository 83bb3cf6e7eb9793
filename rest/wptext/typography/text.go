package typography

import (
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
)

// texturizeText changes one piece of text between tags. The
// rules about quotes mean the start and the end of the piece.
func texturizeText(t string, loc *Locale) string {
	t = strings.ReplaceAll(t, "...", "&#8230;")
	t = strings.ReplaceAll(t, "``", loc.OpenDouble)
	t = strings.ReplaceAll(t, "''", loc.CloseDouble)
	t = strings.ReplaceAll(t, " (tm)", " &#8482;")
	if loc.PlainWords || strings.IndexByte(t, '\'') >= 0 {
		for _, w := range loc.Words {
			t = strings.ReplaceAll(t, w[0], w[1])
		}
	}
	if strings.IndexByte(t, '\'') >= 0 {
		t = curlSingle(t, loc)
	}
	if strings.IndexByte(t, '"') >= 0 {
		t = curlDouble(t, loc)
	}
	if strings.IndexByte(t, '-') >= 0 {
		t = dashes(t, loc)
	}
	t = multiplications(t)
	return escape.Ampersands(t)
}

// dashes turns three hyphens into an em dash, two into an en dash, or an em dash
// between white space, and a single one between white space into an en dash. The
// hyphens of an internationalised domain name (xn--) stay.
func dashes(t string, loc *Locale) string {
	if strings.Contains(t, "--") {
		t = strings.ReplaceAll(t, "---", loc.EmDash)
		t = replaceHyphens(t, "--", loc.EmDash, standsAlone)
		t = replaceHyphens(t, "--", loc.EnDash, func(t string, i, _ int) bool {
			return !strings.HasSuffix(t[:i], "xn")
		})
	}
	return replaceHyphens(t, "-", loc.EnDash, standsAlone)
}

// standsAlone reports whether white space or the borders of t surround t[i:j].
func standsAlone(t string, i, j int) bool {
	return (i == 0 || markup.SpaceBefore(t, i)) && (j == len(t) || markup.SpaceAt(t, j) > 0)
}

func replaceHyphens(t, hyphens, dash string, where func(t string, i, j int) bool) string {
	p := markup.Patch{Src: t}
	for i := range p.Each(hyphens) {
		if j := i + len(hyphens); where(t, i, j) {
			p.Replace(i, j, dash)
		}
	}
	return p.String()
}

// multiplications turns the x of 3x4 into a multiplication sign. A factor is a run of
// digits, dots and commas with a digit first. The first one begins at a word boundary
// and isn't a lone 0 (0x1F is a number); the second takes as much as lets it end at a
// word boundary, so 2x4s stays.
func multiplications(t string) string {
	if !hasMultiplication(t) {
		return t
	}
	p := markup.Patch{Src: t}
	done := 0 // behind the last factor taken
	for x := range p.Each("x") {
		if !markup.DigitAt(t, x+1) || !firstFactor(t, done, x) {
			continue
		}
		if end := secondFactor(t, x+1); end > 0 {
			p.Replace(x, x+1, "&#215;")
			p.Skip(end)
			done = end
		}
	}
	return p.String()
}

func hasMultiplication(t string) bool {
	p := markup.Patch{Src: t}
	for x := range p.Each("x") {
		if markup.DigitAt(t, x-1) && markup.DigitAt(t, x+1) {
			return true
		}
	}
	return false
}

func inFactor(c byte) bool { return markup.IsDigit(c) || c == '.' || c == ',' }

// firstFactor reports whether a first factor ends at x and begins at or behind
// limit.
func firstFactor(t string, limit, x int) bool {
	i := x
	for i > limit && inFactor(t[i-1]) {
		i--
	}
	for ; i < x; i++ {
		if markup.IsDigit(t[i]) && (i == 0 || !markup.IsWord(t[i-1])) && (t[i] != '0' || i+1 < x) {
			return true
		}
	}
	return false
}

// secondFactor returns the end of the longest second factor at i, or 0.
func secondFactor(t string, i int) int {
	end := i
	for end < len(t) && inFactor(t[end]) {
		end++
	}
	for ; end > i; end-- {
		if markup.IsWord(t[end-1]) != (end < len(t) && markup.IsWord(t[end])) {
			return end
		}
	}
	return 0
}
