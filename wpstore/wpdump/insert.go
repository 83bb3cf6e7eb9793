package wpdump

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// insert is an INSERT or REPLACE statement with literal rows.
type insert struct {
	verb    string // "INSERT INTO", "INSERT OR IGNORE INTO" or "REPLACE INTO"
	table   string
	columns []string // empty: all, in the table's order
	rest    string   // from the first row on
}

// parseInsert reads the head of the statement.
func parseInsert(s string) (in insert, err error) {
	c := cursor{s: s}
	switch {
	case c.word("INSERT"):
		in.verb = "INSERT INTO"
		if c.word("IGNORE") {
			in.verb = "INSERT OR IGNORE INTO"
		}
	case c.word("REPLACE"):
		in.verb = "REPLACE INTO"
	default:
		return in, errors.New("neither INSERT nor REPLACE")
	}
	c.word("INTO")
	if in.table, err = c.name(); err != nil {
		return in, err
	}
	if c.sign('.') {
		if in.table, err = c.name(); err != nil {
			return in, err
		}
	}
	if c.sign('(') {
		for {
			column, err := c.name()
			if err != nil {
				return in, err
			}
			in.columns = append(in.columns, column)
			if c.sign(')') {
				break
			}
			if !c.sign(',') {
				return in, errors.New("the list of columns does not end")
			}
		}
	}
	if !c.word("VALUES") && !c.word("VALUE") {
		return in, errors.New("only literal VALUES can be loaded")
	}
	in.rest = c.s
	return in, nil
}

// eachRow calls do with the values of every row: string, []byte (a binary
// literal) or nil. The slice is used again for the next row.
func (in insert) eachRow(do func([]any) error) error {
	c := cursor{s: in.rest}
	var row []any
	for {
		if !c.sign('(') {
			return fmt.Errorf("a row was expected at %.40q", c.s)
		}
		row = row[:0]
		for {
			v, err := c.value()
			if err != nil {
				return err
			}
			row = append(row, v)
			if c.sign(')') {
				break
			}
			if !c.sign(',') {
				return fmt.Errorf("a comma was expected at %.40q", c.s)
			}
		}
		if err := do(row); err != nil {
			return err
		}
		if !c.sign(',') {
			break
		}
	}
	c.space()
	if c.s != "" {
		return fmt.Errorf("after the last row: %.40q", c.s)
	}
	return nil
}

// cursor walks over a statement.
type cursor struct{ s string }

func (c *cursor) space() {
	c.s = strings.TrimLeft(c.s, " \t\r\n")
}

func (c *cursor) sign(b byte) bool {
	c.space()
	if c.s == "" || c.s[0] != b {
		return false
	}
	c.s = c.s[1:]
	return true
}

func (c *cursor) word(w string) bool {
	c.space()
	if len(c.s) < len(w) || !strings.EqualFold(c.s[:len(w)], w) || len(c.s) > len(w) && isWordByte(c.s[len(w)]) {
		return false
	}
	c.s = c.s[len(w):]
	return true
}

// bare takes a run of word bytes.
func (c *cursor) bare() string {
	n := 0
	for n < len(c.s) && isWordByte(c.s[n]) {
		n++
	}
	w := c.s[:n]
	c.s = c.s[n:]
	return w
}

func isWordByte(b byte) bool {
	return b == '_' || b == '$' || b >= 0x80 || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}

func (c *cursor) name() (string, error) {
	c.space()
	if c.s != "" && c.s[0] == '`' {
		end := 1
		for {
			i := strings.IndexByte(c.s[end:], '`')
			if i < 0 {
				return "", errors.New("a name does not end")
			}
			end += i + 1
			if end == len(c.s) || c.s[end] != '`' {
				break
			}
			end++
		}
		name := strings.ReplaceAll(c.s[1:end-1], "``", "`")
		c.s = c.s[end:]
		return name, nil
	}
	if name := c.bare(); name != "" {
		return name, nil
	}
	return "", fmt.Errorf("a name was expected at %.40q", c.s)
}

// value reads one literal.
func (c *cursor) value() (any, error) {
	c.space()
	if c.s == "" {
		return nil, errors.New("a value is missing")
	}
	switch b := c.s[0]; {
	case b == '\'' || b == '"':
		return c.text()
	case b == '-' || b == '+' || b == '.' || b >= '0' && b <= '9':
		if len(c.s) > 2 && b == '0' && c.s[1]|0x20 == 'x' {
			c.s = c.s[2:]
			return decodeHex(c.bare())
		}
		return c.number(), nil
	}
	switch w := strings.ToUpper(c.bare()); w {
	case "NULL":
		return nil, nil
	case "TRUE":
		return "1", nil
	case "FALSE":
		return "0", nil
	case "X":
		digits, err := c.text()
		if err != nil {
			return nil, err
		}
		return decodeHex(digits)
	case "_BINARY":
		v, err := c.value()
		if s, ok := v.(string); ok {
			return []byte(s), err
		}
		return v, err
	case "_UTF8MB4", "_UTF8", "_UTF8MB3":
		return c.value()
	default:
		return nil, fmt.Errorf("a literal was expected, not %.40q", w+c.s)
	}
}

func decodeHex(digits string) ([]byte, error) {
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, fmt.Errorf("hexadecimal literal: %w", err)
	}
	return b, nil
}

// number takes a numeric literal as it stands.
func (c *cursor) number() string {
	n := 1
	for n < len(c.s) {
		b := c.s[n]
		exponent := c.s[n-1]|0x20 == 'e'
		if b >= '0' && b <= '9' || b == '.' || b|0x20 == 'e' || exponent && (b == '-' || b == '+') {
			n++
			continue
		}
		break
	}
	text := c.s[:n]
	c.s = c.s[n:]
	return text
}

// text reads a quoted text with MySQL's escapes.
func (c *cursor) text() (string, error) {
	if c.s == "" || c.s[0] != '\'' && c.s[0] != '"' {
		return "", fmt.Errorf("a text was expected at %.40q", c.s)
	}
	quote := c.s[0]
	special := string(quote) + `\`
	var out strings.Builder
	rest := c.s[1:]
	for {
		i := strings.IndexAny(rest, special)
		if i < 0 {
			return "", errors.New("a text does not end")
		}
		doubled := i+1 < len(rest) && rest[i] == quote && rest[i+1] == quote
		if rest[i] == quote && !doubled {
			c.s = rest[i+1:]
			if out.Len() == 0 {
				return rest[:i], nil
			}
			out.WriteString(rest[:i])
			return out.String(), nil
		}
		out.WriteString(rest[:i])
		if i+1 >= len(rest) {
			return "", errors.New("a text ends in a backslash")
		}
		if doubled {
			out.WriteByte(quote)
		} else {
			out.WriteByte(unescape(rest[i+1]))
		}
		rest = rest[i+2:]
	}
}

// unescape is the byte that a backslash and b stand for. \% and \_ keep their
// backslash only in patterns, which a dump has none of.
func unescape(b byte) byte {
	switch b {
	case '0':
		return 0
	case 'b':
		return '\b'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'Z':
		return 0x1a
	}
	return b
}
