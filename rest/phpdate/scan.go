package phpdate

// maxLength bounds the strings that are read at all, in bytes.
const maxLength = 4096

// scan reads every token of s.
func (r *reading) scan(s string) error {
	s = trimSpace(s)
	if s == "" {
		return errEmpty
	}
	if len(s) > maxLength {
		return errTooLong
	}
	s += "\x00" // some formats match the end
	for at := 0; at < len(s); {
		f, end := longestToken(s, at)
		if f != nil {
			if err := f.read(r, &cursor{text: s[at:end]}); err != nil {
				return err
			}
			at = end
			continue
		}
		from := at
		for at < len(s) && inSet(" .,\t\n\x00", s[at]) {
			at++
			if s[at-1] != ' ' && s[at-1] != '\t' {
				break
			}
		}
		if at == from {
			return errUnexpected
		}
	}
	return nil
}

// longestToken finds the format that reads most of s from at on; among equals
// the first. nil means that none does.
func longestToken(s string, at int) (*format, int) {
	opens := openingOf(s[at])
	var found *format
	best := at
	for i := range formats {
		f := &formats[i]
		if f.opens&opens == 0 {
			continue
		}
		for _, p := range f.looks {
			if end := p.longest(s, at); end > best {
				found, best = f, end
			}
		}
	}
	return found, best
}

func openingOf(c byte) opening {
	switch {
	case isDigit(c):
		return byDigit
	case isLetter(c):
		return byLetter
	case c == '+' || c == '-':
		return bySign
	case c == ' ' || c == '\t':
		return bySpace
	}
	return byOther
}

// trimSpace removes what C's isspace counts as space from both ends, but never
// the last byte left: a lone blank is read as the present.
func trimSpace(s string) string {
	const blank = " \t\n\v\f\r"
	for len(s) > 1 && inSet(blank, s[0]) {
		s = s[1:]
	}
	for len(s) > 1 && inSet(blank, s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}
