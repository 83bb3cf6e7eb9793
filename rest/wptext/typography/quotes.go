package typography

import (
	"strings"

	"calbridge/rest/wptext/markup"
)

// As in WordPress, marks stand for decided quotes until the primes are decided too.
// A mark ends in ">", which the rules that look back take for neither white space nor
// a digit. The text between tags has no "<" of its own.
const (
	apostropheMark = "<!--apos-->"
	openSingleMark = "<!--osq-->"
	openDoubleMark = "<!--oq-->"
)

// closesAt reports whether a quotation may close in front of t[i]: at the end,
// before closing punctuation, before "&gt;" or before white space.
func closesAt(t string, i int) bool {
	if i >= len(t) {
		return true
	}
	return strings.IndexByte(".,:;!?)}-]", t[i]) >= 0 || strings.HasPrefix(t[i:], "&gt;") || markup.SpaceAt(t, i) > 0
}

// opensBehind reports whether a quotation may open behind t[:i]: at the start
// and behind white space, an opening bracket, a hyphen or "&lt;".
func opensBehind(t string, i int) bool {
	if i == 0 {
		return true
	}
	return strings.IndexByte("([{-", t[i-1]) >= 0 || strings.HasSuffix(t[:i], "&lt;") || markup.SpaceBefore(t, i)
}

// quotedNumber returns the end of a number in quotes that starts with the
// quote t[i], at the start or behind white space; 0 if there is none.
func quotedNumber(t string, i int) int {
	if !markup.DigitAt(t, i+1) || i > 0 && !markup.SpaceBefore(t, i) {
		return 0
	}
	end := i + 2
	for end < len(t) && inFactor(t[end]) {
		end++
	}
	if end < len(t) && t[end] == t[i] {
		return end + 1
	}
	return 0
}

func curlSingle(t string, loc *Locale) string {
	t = abbreviatedYears(t, loc)
	p := markup.Patch{Src: t}
	for i := range p.Each("'") {
		if end := quotedNumber(t, i); end > 0 {
			p.Replace(i, end, openSingleMark, t[i+1:end-1], loc.CloseSingle)
		} else if opensBehind(t, i) || t[i-1] == '"' {
			p.Replace(i, i+1, openSingleMark)
		} else if insideWord(t, i) {
			p.Replace(i, i+1, apostropheMark)
		}
	}
	t = primes(p.String(), '\'', loc.Prime, openSingleMark, loc.CloseSingle)
	t = strings.ReplaceAll(t, apostropheMark, loc.Apostrophe)
	return strings.ReplaceAll(t, openSingleMark, loc.OpenSingle)
}

// insideWord reports whether the quote t[i], which opens nothing, is an
// apostrophe by what follows: anything but the end, punctuation, "&lt;",
// "&gt;" and white space.
func insideWord(t string, i int) bool {
	i++
	return !closesAt(t, i) && strings.IndexByte(`"'({[`, t[i]) < 0 && !strings.HasPrefix(t[i:], "&lt;")
}

// abbreviatedYears marks the apostrophe of '99, also in '99' and '99", whose
// second quote closes a quotation.
func abbreviatedYears(t string, loc *Locale) string {
	p := markup.Patch{Src: t}
	for i := range p.Each("'") {
		if !markup.DigitAt(t, i+1) || !markup.DigitAt(t, i+2) {
			continue
		}
		next := byte(0)
		if i+3 < len(t) {
			next = t[i+3]
		}
		switch {
		case next == '\'' && closesAt(t, i+4):
			p.Replace(i, i+4, apostropheMark, t[i+1:i+3], loc.CloseSingle)
		case next == '"' && closesAt(t, i+4):
			p.Replace(i, i+4, apostropheMark, t[i+1:i+3], loc.CloseDouble)
		case next != '%' && !markup.IsDigit(next) && !((next == '.' || next == ',') && markup.DigitAt(t, i+4)):
			p.Replace(i, i+1, apostropheMark)
		}
	}
	return p.String()
}

func curlDouble(t string, loc *Locale) string {
	p := markup.Patch{Src: t}
	for i := range p.Each(`"`) {
		if end := quotedNumber(t, i); end > 0 {
			p.Replace(i, end, openDoubleMark, t[i+1:end-1], loc.CloseDouble)
		} else if opensBehind(t, i) && markup.SpaceAt(t, i+1) == 0 {
			p.Replace(i, i+1, openDoubleMark)
		}
	}
	t = primes(p.String(), '"', loc.DoublePrime, openDoubleMark, loc.CloseDouble)
	return strings.ReplaceAll(t, openDoubleMark, loc.OpenDouble)
}

// primes decides which of the quotes that are left close a quotation and which
// stand behind a number as minutes, seconds, feet or inches. It looks at the
// text behind each open mark in turn.
func primes(t string, quote byte, prime, openMark, closeQuote string) string {
	if strings.IndexByte(t, quote) < 0 {
		return t
	}
	out := make([]byte, 0, len(t)+len(t)/8+32)
	for first := true; ; first = false {
		piece, rest, more := strings.Cut(t, openMark)
		if strings.IndexByte(piece, quote) >= 0 {
			open := !first && !strings.Contains(piece, closeQuote)
			piece = primesOfPiece(piece, quote, prime, closeQuote, open)
		}
		out = append(out, piece...)
		if !more {
			return string(out)
		}
		out = append(out, openMark...)
		t = rest
	}
}

// primesOfPiece handles the text from one open mark to the next. If a quotation is open, a quote where it may close does so: a lone one always;
// of several, those not behind a digit, or if all are, the last one before a full
// stop, or else the last one. Every other quote behind a digit is a prime. Double
// quotes that fit no rule close.
func primesOfPiece(t string, quote byte, prime, closeQuote string, open bool) string {
	chosen := -1 // the one quote that closes although it follows a digit
	if open {
		chosen = closingBehindDigit(t, quote)
	}
	p := markup.Patch{Src: t}
	for i := markup.IndexFrom(t, quote, 0); i >= 0; i = markup.IndexFrom(t, quote, i+1) {
		switch {
		case i != chosen && markup.DigitAt(t, i-1):
			p.Replace(i, i+1, prime)
		case i == chosen || quote == '"' || closesAt(t, i+1):
			p.Replace(i, i+1, closeQuote)
		}
	}
	return p.String()
}

// closingBehindDigit returns the offset of the quote that closes an open
// quotation in spite of the digit in front of it, or -1.
func closingBehindDigit(t string, quote byte) int {
	closers, last, lastBeforeStop := 0, -1, -1
	free := false // some quote can close that follows no digit
	for i := markup.IndexFrom(t, quote, 0); i >= 0; i = markup.IndexFrom(t, quote, i+1) {
		if !closesAt(t, i+1) {
			continue
		}
		closers++
		last = i
		if i+1 < len(t) && t[i+1] == '.' {
			lastBeforeStop = i
		}
		free = free || !markup.DigitAt(t, i-1)
	}
	switch {
	case closers > 1 && free:
		return -1
	case closers > 1 && lastBeforeStop >= 0:
		return lastBeforeStop
	}
	return last
}
