package phpserial

import (
	"strings"

	"calbridge/wpstore/php"
)

// LooksSerialized reports whether WordPress guesses that a stored text is serialized. It
// looks at the first and last bytes of the trimmed text.
func LooksSerialized(s string) bool {
	s = php.Trim(s)
	if s == "N;" {
		return true
	}
	if len(s) < 4 || s[1] != ':' {
		return false
	}
	last := s[len(s)-1]
	if last != ';' && last != '}' {
		return false
	}
	switch s[0] {
	case 's':
		return s[len(s)-2] == '"' && startsWithCount(s[2:])
	case 'a', 'O', 'E':
		return startsWithCount(s[2:])
	case 'b', 'i', 'd':
		number := s[2 : len(s)-1]
		return last == ';' && number != "" && strings.Trim(number, "0123456789.E+-") == ""
	}
	return false
}

// startsWithCount reports whether s starts with digits and a colon.
func startsWithCount(s string) bool {
	digits, _, found := strings.Cut(s, ":")
	return found && allDigits(digits)
}

// Maybe returns a value of the options or meta tables as WordPress reads it. A text that
// looks serialized is unserialized, with false for an error; any other text is returned as
// it is.
func Maybe(s string) php.Value {
	if !LooksSerialized(s) {
		return s
	}
	v, err := Unserialize(php.Trim(s))
	if err != nil {
		return false
	}
	return v
}

// Array unserializes an array; it returns nil for any other text.
func Array(stored string) *php.Array {
	array, _ := Maybe(stored).(*php.Array)
	return array
}
