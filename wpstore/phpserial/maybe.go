package phpserial

import (
	"strings"

	"calbridge/wpstore/php"
)

// LooksSerialized reproduces WordPress's guess whether a stored text is serialized, from the
// first and last bytes of the trimmed text.
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

// startsWithCount reports whether s is digits and a colon, and anything after them.
func startsWithCount(s string) bool {
	digits, _, found := strings.Cut(s, ":")
	return found && allDigits(digits)
}

// Maybe reads a value of the options or meta tables as WordPress does: it unserializes a
// text that looks serialized, with false for an error, and returns any other text.
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
