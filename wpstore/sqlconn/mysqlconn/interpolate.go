package mysqlconn

import (
	"database/sql/driver"
	"slices"
	"strconv"
	"strings"
)

// interpolated writes the arguments into a query as the driver would; false if it can't.
func interpolated(query string, args []driver.NamedValue) (string, bool) {
	if strings.Count(query, "?") != len(args) {
		return "", false
	}
	size := len(query)
	for _, arg := range args {
		switch v := arg.Value.(type) {
		case nil, int64, bool:
			size += 20
		case string:
			size += len(v) + len(v)/8 + 2
		default:
			return "", false
		}
	}
	out := make([]byte, 0, size)
	for _, arg := range args {
		before, after, _ := strings.Cut(query, "?")
		out, query = append(out, before...), after
		switch v := arg.Value.(type) {
		case nil:
			out = append(out, "NULL"...)
		case int64:
			out = strconv.AppendInt(out, v, 10)
		case bool:
			out = append(out, '0')
			if v {
				out[len(out)-1] = '1'
			}
		case string:
			out = appendQuoted(out, v)
		}
	}
	return string(append(out, query...)), true
}

// appendQuoted appends a text in quotes, for sessions without NO_BACKSLASH_ESCAPES.
func appendQuoted(out []byte, text string) []byte {
	out = append(slices.Grow(out, len(text)+2), '\'')
	for i := range len(text) {
		if escaped := escape(text[i]); escaped != 0 {
			out = append(out, '\\', escaped)
		} else {
			out = append(out, text[i])
		}
	}
	return append(out, '\'')
}

// escape returns what stands after a backslash for a character within quotes, 0 for one that
// stands for itself.
func escape(c byte) byte {
	switch c {
	case 0:
		return '0'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case 0x1a:
		return 'Z'
	case '\'', '"', '\\':
		return c
	}
	return 0
}

// Interpolated writes arguments into a query as the driver would; false if it can't.
func Interpolated(query string, args []any) (string, bool) {
	values := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return "", false
		}
		values[i].Value = value
	}
	return interpolated(query, values)
}
