package phpform

import (
	"bytes"
	"errors"
	"strings"

	"calbridge/wpstore/php"
)

// Errors of ParseMultipart. PHP only warns; the fields read so far count.
var (
	ErrNoBoundary = errors.New("multipart body: no boundary in the content type")
	ErrGarbled    = errors.New("multipart body: a part has neither name nor file name")
	ErrParts      = errors.New("multipart body: too many parts")
)

// maxFiles is PHP's default for max_file_uploads, by which the number of parts may
// exceed the number of variables.
const maxFiles = 20

// Boundary finds the boundary in a Content-Type header as PHP does; "" if there is
// none.
func Boundary(contentType string) string {
	const name = "boundary"
	i := strings.Index(contentType, name)
	for j := 0; i < 0 && j+len(name) <= len(contentType); j++ {
		if strings.EqualFold(contentType[j:j+len(name)], name) {
			i = j
		}
	}
	if i < 0 {
		return ""
	}
	_, boundary, _ := strings.Cut(contentType[i:], "=")
	if quoted, ok := strings.CutPrefix(boundary, `"`); ok {
		boundary, _, ok = strings.Cut(quoted, `"`)
		if !ok {
			return ""
		}
		return boundary
	}
	if end := strings.IndexAny(boundary, ",;"); end >= 0 {
		boundary = boundary[:end]
	}
	return boundary
}

// ParseMultipart reads the fields of a multipart/form-data body; files are skipped.
// Names follow the rules of Parse, without percent-decoding. The fields are never
// nil, also with an error.
func ParseMultipart(body []byte, boundary string, limits Limits) (fields *php.Array, err error) {
	fields = &php.Array{}
	if boundary == "" {
		return fields, ErrNoBoundary
	}
	r := partReader{rest: body, start: []byte("--" + boundary), end: []byte("\n--" + boundary)}
	limits = limits.Completed()
	vars, parts := 0, 0
	for r.nextPart() {
		disposition, ok := r.disposition()
		if !ok {
			continue
		}
		parts++
		if parts > limits.MaxVars+maxFiles {
			return fields, ErrParts
		}
		name, file, ok := dispositionNames(disposition)
		if !ok {
			return fields, ErrGarbled
		}
		if file {
			continue
		}
		value := r.content()
		vars++
		if vars <= limits.MaxVars {
			register(fields, name, string(value), limits.MaxDepth)
		}
	}
	return fields, nil
}

// partReader goes through a multipart body line by line, as PHP does; lines end in
// LF or CRLF.
type partReader struct {
	rest  []byte
	start []byte // the line that begins a part
	end   []byte // what ends its content
}

// line returns the next complete line without its end.
func (r *partReader) line() ([]byte, bool) {
	line, rest, found := bytes.Cut(r.rest, []byte("\n"))
	if !found {
		r.rest = nil
		return nil, false
	}
	r.rest = rest
	return bytes.TrimSuffix(line, []byte("\r")), true
}

// nextPart moves behind the next boundary line.
func (r *partReader) nextPart() bool {
	for {
		line, ok := r.line()
		if !ok {
			return false
		}
		if bytes.Equal(line, r.start) {
			return true
		}
	}
}

// disposition reads a part's headers and returns its Content-Disposition. A line
// without a colon or with leading white space continues the one before.
func (r *partReader) disposition() (string, bool) {
	var name, value, result string
	found := false
	keep := func() {
		if !found && strings.EqualFold(name, "Content-Disposition") {
			result, found = value, true
		}
	}
	for {
		raw, ok := r.line()
		if !ok || len(raw) == 0 {
			break
		}
		line := string(raw)
		key, text, isHeader := strings.Cut(line, ":")
		if isHeader && !isSpace(line[0]) {
			keep()
			name, value = key, strings.TrimLeft(text, " \t\n\v\f\r")
		} else if name != "" && len(value) < maxHeader {
			value += line
		}
	}
	keep()
	return result, found
}

// maxHeader bounds a header folded over many lines.
const maxHeader = 8 << 10

// content returns the content up to the next boundary, or all of the rest if the
// body ends before one, possibly in the middle of it.
func (r *partReader) content() []byte {
	end := bytes.Index(r.rest, r.end)
	if end < 0 {
		end = len(r.rest)
		for cut := min(len(r.end)-1, len(r.rest)); cut > 0; cut-- {
			if bytes.HasSuffix(r.rest, r.end[:cut]) {
				end -= cut
				break
			}
		}
		if end == len(r.rest) {
			content := r.rest
			r.rest = nil
			return content
		}
	}
	content := bytes.TrimSuffix(r.rest[:end], []byte("\r"))
	r.rest = r.rest[end:]
	return content
}

// dispositionNames reads "form-data; name=…; filename=…". It is not ok if there is
// neither.
func dispositionNames(header string) (name string, file, ok bool) {
	for header != "" {
		var pair string
		pair, header = word(header, ';')
		header = strings.TrimLeft(header, " \t\n\v\f\r")
		if strings.IndexByte(pair, '=') < 0 {
			continue
		}
		key, text := word(pair, '=')
		switch {
		case strings.EqualFold(key, "name"):
			name, ok = unquote(text), true
		case strings.EqualFold(key, "filename"):
			file, ok = true, true
		}
	}
	return name, file, ok
}

// word cuts s at the first stop outside of quotes, and drops further stops behind it.
func word(s string, stop byte) (before, after string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case stop:
			after = s[i:]
			for after != "" && after[0] == stop {
				after = after[1:]
			}
			return s[:i], after
		case '"', '\'':
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' && i+1 < len(s) && s[i+1] == c {
					i++
				}
			}
		}
	}
	return s, ""
}

// unquote reads a value in quotes, in which a backslash escapes the quote and
// itself, or else up to white space.
func unquote(s string) string {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	if s == "" {
		return ""
	}
	quote := s[0]
	if quote == '"' || quote == '\'' {
		s = s[1:]
	} else {
		quote = 0
		if end := strings.IndexAny(s, " \t\n\v\f\r"); end >= 0 {
			s = s[:end]
		}
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if quote != 0 && c == quote {
			break
		}
		if c == '\\' && i+1 < len(s) && (s[i+1] == '\\' || quote != 0 && s[i+1] == quote) {
			i++
			c = s[i]
		}
		b = append(b, c)
	}
	return string(b)
}
