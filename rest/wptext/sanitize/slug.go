package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"calbridge/rest/wptext/scan"
)

// slugLimit is the size of the post_name column, to which WordPress cuts the
// percent-encoded form of a title.
const slugLimit = 200

// Slug is WordPress's sanitize_title as it makes a slug to be stored:
// without accents, in lower case, words joined by hyphens, other scripts
// percent-encoded. Locale is the WordPress locale of the site, such as
// "de_DE". The result may be empty.
func Slug(s, locale string) string {
	return joinSlug(replaceSlugSigns(encodedTitle(RemoveAccents(s, locale))))
}

// SlugQuery is WordPress's sanitize_title as it reads a slug from a
// query: accents and typographic signs are not removed but percent-encoded.
func SlugQuery(s string) string { return joinSlug(encodedTitle(s)) }

// encodedTitle removes tags and stray percent signs, and brings the rest to
// lower case and percent-encoded form.
func encodedTitle(s string) string {
	s = keepOctets(StripTags(s))
	if utf8.ValidString(s) {
		s = encodeURI(lowerUnicode(s), slugLimit)
	}
	return scan.LowerASCII(s)
}

// keepOctets removes each percent sign that begins no percent-encoded byte.
// WordPress saves these bytes by writing three hyphens on both sides, so that
// three hyphens around two hexadecimal digits turn into such a byte, too.
func keepOctets(s string) string {
	if strings.IndexByte(s, '%') < 0 && !strings.Contains(s, "---") {
		return s
	}
	p := scan.Patch{Src: s}
	for i := scan.IndexFrom(s, '%', 0); i >= 0; i = scan.IndexFrom(s, '%', i+1) {
		if i+2 < len(s) && scan.IsHex(s[i+1]) && scan.IsHex(s[i+2]) {
			p.Replace(i, i+3, "---", s[i+1:i+3], "---")
		} else {
			p.Replace(i, i+1)
		}
	}
	s = p.String()
	p = scan.Patch{Src: s}
	for i := scan.IndexFrom(s, '-', 0); i >= 0; {
		from := i + 1
		if strings.HasPrefix(s[i:], "---") && len(s) >= i+8 && scan.IsHex(s[i+3]) && scan.IsHex(s[i+4]) && s[i+5:i+8] == "---" {
			from = i + 8
			p.Replace(i, from, "%", s[i+3:i+5])
		}
		i = scan.IndexFrom(s, '-', from)
	}
	return p.String()
}

// lowerUnicode is PHP's mb_strtolower in UTF-8, without the rule for the final
// sigma.
func lowerUnicode(s string) string {
	if scan.IsASCII(s) {
		return scan.LowerASCII(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		if r == 'İ' {
			b.WriteString("i\u0307")
		} else {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// encodeURI percent-encodes what is not ASCII and stops in front of the
// character that would make the result longer than limit.
func encodeURI(s string, limit int) string {
	if len(s) <= limit && scan.IsASCII(s) {
		return s
	}
	const hex = "0123456789abcdef"
	out := make([]byte, 0, min(limit, 3*len(s)))
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		if size == 1 {
			if len(out)+1 > limit {
				break
			}
			out = append(out, s[i])
			i++
			continue
		}
		if len(out)+3*size > limit {
			break
		}
		for _, c := range []byte(s[i : i+size]) {
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
		i += size
	}
	return string(out)
}

// replaceSlugSigns replaces dashes, spaces and slashes by hyphens, removes
// quotes, other signs and invisible characters, and writes the multiplication
// sign as x. All of them are percent-encoded by now. One after the other, so
// that a removal can bring about the next.
func replaceSlugSigns(s string) string {
	s = replaceWords(s, slugDashes, "-")
	s = strings.ReplaceAll(s, "/", "-")
	s = replaceWords(s, slugStrangers, "")
	s = replaceWords(s, slugSpaces, "-")
	return strings.ReplaceAll(s, "%c3%97", "x")
}

func replaceWords(s string, words []string, with string) string {
	if !strings.ContainsAny(s, "%&") {
		return s
	}
	for _, word := range words {
		s = strings.ReplaceAll(s, word, with)
	}
	return s
}

var slugDashes = strings.Fields(`%c2%a0 %e2%80%91 %e2%80%93 %e2%80%94
	&nbsp; &#8209; &#160; &ndash; &#8211; &mdash; &#8212;`)

var slugStrangers = strings.Fields(`%c2%ad %c2%a1 %c2%bf %c2%ab %c2%bb %e2%80%b9 %e2%80%ba %e2%80%98
	%e2%80%99 %e2%80%9c %e2%80%9d %e2%80%9a %e2%80%9b %e2%80%9e %e2%80%9f %e2%80%a2 %c2%a9 %c2%ae
	%c2%b0 %e2%80%a6 %e2%84%a2 %c2%b4 %cb%8a %cc%81 %cd%81 %cc%80 %cc%84 %cc%8c %e2%80%8b %e2%80%8c
	%e2%80%8d %e2%80%8e %e2%80%8f %e2%80%aa %e2%80%ab %e2%80%ac %e2%80%ad %e2%80%ae %ef%bb%bf
	%ef%bf%bc`)

var slugSpaces = strings.Fields(`%e2%80%80 %e2%80%81 %e2%80%82 %e2%80%83 %e2%80%84 %e2%80%85 %e2%80%86
	%e2%80%87 %e2%80%88 %e2%80%89 %e2%80%8a %e2%80%a8 %e2%80%a9 %e2%80%af`)

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
		case scan.IsDigit(c) || c >= 'a' && c <= 'z' || c == '%' || c == '_':
			out = append(out, c)
		}
	}
	return strings.TrimSuffix(string(out), "-")
}

// removeReferences removes everything from an ampersand to the next semicolon
// of the same line, with at least one character between them.
func removeReferences(s string) string {
	semicolon, newline := scan.NewFinder(s, ";"), scan.NewFinder(s, "\n")
	p := scan.Patch{Src: s}
	for i := scan.IndexFrom(s, '&', 0); i >= 0; {
		from := i + 1
		line := newline.Next(from)
		if end := semicolon.Next(from + 1); end >= 0 && line != from && (line < 0 || end < line) {
			from = end + 1
			p.Replace(i, from)
		}
		i = scan.IndexFrom(s, '&', from)
	}
	return p.String()
}
