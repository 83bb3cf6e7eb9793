package sanitize

import (
	"strings"
	"unicode/utf8"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/markup"
)

// slugLimit is the size of the column post_name.
const slugLimit = 200

// Rules are how a site simplifies text: by the conventions of its locale, such as "de_DE",
// and by its release of WordPress.
type Rules struct {
	Locale string
	Traits trait.Set
}

// Slug reproduces WordPress's sanitize_title for a slug to be stored: without accents, in
// lower case, words joined by hyphens, other scripts percent-encoded. The result may be
// empty.
func (r Rules) Slug(s string) string {
	signs := slugSigns
	if r.Traits.Has(trait.TextBefore69) {
		signs = pastSlugSigns
	}
	return joinSlug(replaceSlugSigns(encodedTitle(r.RemoveAccents(s)), signs))
}

// Slug returns [Rules.Slug] of the newest release.
func Slug(s, locale string) string { return Rules{Locale: locale}.Slug(s) }

// SlugQuery reproduces WordPress's sanitize_title for a slug in a query: accents and
// typographic signs are percent-encoded instead of removed.
func SlugQuery(s string) string { return joinSlug(encodedTitle(s)) }

// encodedTitle removes tags and stray percent signs, and brings the rest to
// lower case and percent-encoded form.
func encodedTitle(s string) string {
	s = keepOctets(StripTags(s))
	if utf8.ValidString(s) {
		// PHP's mb_strtolower, without the rule for the final sigma.
		s = strings.ToLower(strings.ReplaceAll(s, "İ", "i\u0307"))
		s = encodeURI(s, slugLimit)
	}
	return markup.LowerASCII(s)
}

// keepOctets removes each percent sign that begins no percent-encoded byte.
// WordPress protects these bytes by three hyphens on both sides, so three hyphens
// around two hexadecimal digits become such a byte too.
func keepOctets(s string) string {
	if strings.IndexByte(s, '%') < 0 && !strings.Contains(s, "---") {
		return s
	}
	p := markup.Patch{Src: s}
	for i := range p.Each("%") {
		if i+2 < len(s) && markup.IsHex(s[i+1]) && markup.IsHex(s[i+2]) {
			p.Replace(i, i+3, "---", s[i+1:i+3], "---")
		} else {
			p.Replace(i, i+1)
		}
	}
	s = p.String()
	p = markup.Patch{Src: s}
	for i := range p.Each("---") {
		if len(s) >= i+8 && markup.IsHex(s[i+3]) && markup.IsHex(s[i+4]) && s[i+5:i+8] == "---" {
			p.Replace(i, i+8, "%", s[i+3:i+5])
		}
	}
	return p.String()
}

// encodeURI percent-encodes what isn't ASCII and stops before the character that would
// make the result longer than limit.
func encodeURI(s string, limit int) string {
	if len(s) <= limit && markup.IsASCII(s) {
		return s
	}
	const hex = "0123456789abcdef"
	out := make([]byte, 0, limit+3*utf8.UTFMax)
	for _, r := range s {
		size := len(out)
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		} else {
			for _, c := range []byte(string(r)) {
				out = append(out, '%', hex[c>>4], hex[c&15])
			}
		}
		if len(out) > limit {
			return string(out[:size])
		}
	}
	return string(out)
}

// replaceSlugSigns replaces dashes, spaces and slashes by hyphens, removes
// quotes, other signs and invisible characters, and writes the multiplication
// sign as x; all of them are percent-encoded by now. It does so one after the
// other, since a removal can produce the next.
func replaceSlugSigns(s string, signs []slugStep) string {
	if !strings.ContainsAny(s, "%&/") {
		return s
	}
	for _, step := range signs {
		for sign := range strings.FieldsSeq(step.signs) {
			s = strings.ReplaceAll(s, sign, step.with)
		}
	}
	return s
}

// slugStep replaces all of some signs.
type slugStep struct{ with, signs string }

// slugSigns are the steps since WordPress 6.9, in which the non-breaking hyphen is a hyphen.
var (
	slugSigns     = append([]slugStep{{"-", "%e2%80%91 &#8209;"}}, pastSlugSigns...)
	pastSlugSigns = []slugStep{
		{"-", `%c2%a0 %e2%80%93 %e2%80%94
	&nbsp; &#160; &ndash; &#8211; &mdash; &#8212; /`},
		{"", `%c2%ad %c2%a1 %c2%bf %c2%ab %c2%bb %e2%80%b9 %e2%80%ba %e2%80%98
	%e2%80%99 %e2%80%9c %e2%80%9d %e2%80%9a %e2%80%9b %e2%80%9e %e2%80%9f %e2%80%a2 %c2%a9 %c2%ae
	%c2%b0 %e2%80%a6 %e2%84%a2 %c2%b4 %cb%8a %cc%81 %cd%81 %cc%80 %cc%84 %cc%8c %e2%80%8b %e2%80%8c
	%e2%80%8d %e2%80%8e %e2%80%8f %e2%80%aa %e2%80%ab %e2%80%ac %e2%80%ad %e2%80%ae %ef%bb%bf
	%ef%bf%bc`},
		{"-", `%e2%80%80 %e2%80%81 %e2%80%82 %e2%80%83 %e2%80%84 %e2%80%85 %e2%80%86
	%e2%80%87 %e2%80%88 %e2%80%89 %e2%80%8a %e2%80%a8 %e2%80%a9 %e2%80%af`},
		{"x", "%c3%97"},
	}
)

// joinSlug removes character references and whatever a slug may not hold, and
// joins its words by single hyphens.
func joinSlug(s string) string {
	s = removeReferences(s)
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '.' || c == ' ' || c == '-':
			if len(out) > 0 && out[len(out)-1] != '-' {
				out = append(out, '-')
			}
		case markup.IsDigit(c) || c >= 'a' && c <= 'z' || c == '%' || c == '_':
			out = append(out, c)
		}
	}
	return strings.TrimSuffix(string(out), "-")
}

// removeReferences removes everything from an ampersand to the next semicolon
// of the same line, with at least one character between them.
func removeReferences(s string) string {
	semicolon, newline := markup.NewFinder(s, ";"), markup.NewFinder(s, "\n")
	p := markup.Patch{Src: s}
	for i := range p.Each("&") {
		line, end := newline.Next(i+1), semicolon.Next(i+2)
		if end >= 0 && line != i+1 && (line < 0 || end < line) {
			p.Replace(i, end+1)
		}
	}
	return p.String()
}
