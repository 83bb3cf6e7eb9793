package escape

import (
	"strconv"
	"strings"

	"calbridge/rest/wptext/markup"
)

// NormalizeEntities reproduces WordPress's wp_kses_normalize_entities: it encodes
// every ampersand as &amp; except those of known named references and of
// numeric references to valid characters. Decimal references come out with at
// least three digits, hexadecimal ones without leading zeros.
func (r Rules) NormalizeEntities(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each("&") {
		if namedReference(s, i) {
			r.unescapeNumber(&p, i)
			continue
		}
		if digits, end := numericReference(s, i); end == 0 {
			p.Replace(i, i+1, "&amp;")
		} else if s[i:end] != digits {
			p.Replace(i, end, digits)
		}
	}
	return p.String()
}

// unescapeNumber replaces an escaped ampersand at i with the digits of a numeric reference
// behind it by that reference.
func (r Rules) unescapeNumber(p *markup.Patch, i int) {
	const escaped = "&amp;"
	if !r.NumbersLast || !strings.HasPrefix(p.Src[i:], escaped+"#") {
		return
	}
	semicolon := i + len(escaped) - 1
	if reference, end := numericReference(p.Src, semicolon); end > 0 {
		p.Replace(i, end, reference)
	}
}

// namedReference reports whether a known named reference begins at i.
func namedReference(s string, i int) bool {
	const longest = 10 // eight letters and two digits
	start := i + 1
	end := start
	for end < len(s) && end-start <= longest && markup.IsWord(s[end]) {
		end++
	}
	return end < len(s) && s[end] == ';' && entityNames[s[start:end]]
}

// numericReference reads the numeric reference whose "#" is behind i. It returns the normalised reference
// and its end in s; the end is 0 without a reference to a valid character.
func numericReference(s string, i int) (reference string, end int) {
	if !strings.HasPrefix(s[i+1:], "#") {
		return "", 0
	}
	i += len("&#")
	base, longest, is := 10, 7, markup.IsDigit
	if i < len(s) && s[i]|0x20 == 'x' {
		base, longest, is = 16, 6, markup.IsHex
		i++
	}
	for i < len(s) && s[i] == '0' {
		i++
	}
	end = i
	for end < len(s) && end-i <= longest && is(s[end]) {
		end++
	}
	if end == i || end-i > longest || end == len(s) || s[end] != ';' {
		return "", 0
	}
	code, err := strconv.ParseUint(s[i:end], base, 32)
	if err != nil || !validCodePoint(code) {
		return "", 0
	}
	if base == 16 {
		return "&#x" + s[i:end+1], end + 1
	}
	return "&#" + "000"[min(3, end-i):] + s[i:end+1], end + 1
}

// validCodePoint reports whether XML allows the character.
func validCodePoint(c uint64) bool {
	return c == 9 || c == 10 || c == 13 || c >= 0x20 && c <= 0xD7FF ||
		c >= 0xE000 && c <= 0xFFFD || c >= 0x10000 && c <= 0x10FFFF
}

// entityNames are the named character references that WordPress allows; it encodes the
// ampersand of others.
var entityNames = markup.WordSet(`
nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn acute
micro para middot cedil ordm raquo iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave
Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash
Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil
egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide
oslash ugrave uacute ucirc uuml yacute thorn yuml quot amp lt gt apos OElig oelig Scaron scaron Yuml
circ tilde ensp emsp thinsp zwnj zwj lrm rlm ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo dagger
Dagger permil lsaquo rsaquo euro fnof Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa
Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega alpha beta gamma delta epsilon
zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega
thetasym upsih piv bull hellip prime Prime oline frasl weierp image real trade alefsym larr uarr
rarr darr harr crarr lArr uArr rArr dArr hArr forall part exist empty nabla isin notin ni prod sum
minus lowast radic prop infin ang and or cap cup int sim cong asymp ne equiv le ge sub sup nsub sube
supe oplus otimes perp sdot lceil rceil lfloor rfloor lang rang loz spades clubs hearts diams sup1
sup2 sup3 frac14 frac12 frac34 there4
`)

// IsEntityName reports whether a named character reference is one of HTML 4.01, or apos.
func IsEntityName(name string) bool { return entityNames[name] }
