package systemtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// jsonTypes and the other lists hold content types of request bodies.
var (
	jsonTypes  = []string{"application/json", "application/json", "application/json; charset=utf-8", "application/ld+json", "APPLICATION/JSON", "text/plain, application/json"}
	otherTypes = []string{"text/plain", "text/xml", "application/octet-stream", "", "application/jsonp", "application", "*/*", "multipart/mixed; boundary=b", "image/png", "\xff", "application/json\x01"}
)

const fuzzedBoundary = "----fuzzed7MA4YWxkTrZu0gW"

// body writes fields as a body and returns its content type, which is "" for none.
func (v *fuzzedValues) body(fields map[string]any) (contentType, body string) {
	switch n := v.IntN(100); {
	case n < 50:
		contentType, body = v.word(jsonTypes...), v.json(fields)
	case n < 75:
		contentType = v.word("application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=UTF-8", "Application/X-WWW-Form-Urlencoded")
		body = v.form(fields)
	case n < 90:
		contentType, body = v.multipart(fields)
	case n < 95: // the content type does not match the body
		contentType = v.word(append(otherTypes, "application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=")...)
		body = v.json(fields)
	default:
		contentType, body = v.word(append(otherTypes, jsonTypes...)...), v.form(fields)
	}
	if v.chance(6) {
		body = v.damage(body)
	}
	return contentType, body
}

func (v *fuzzedValues) json(fields map[string]any) string {
	switch v.IntN(60) {
	case 0:
		return v.word("null", "true", "0", `""`, "[]", "{}", "[[]]", `"text"`, "1e999", "-", "{", "[", `{"a"`, `{"a":`, `{"a":1,}`, "nul", "'a'", "\ufeff{}", "{}{}", " ", `{"":0}`)
	case 1:
		return strings.Repeat(v.word("[", `{"a":`), v.IntN(700)) + "1"
	case 2: // duplicate members, escapes and all kinds of white space
		return `{"title":"a","title":"\ud83d\ude00\u0000\/","start_date":"now","end_date":"\u0074omorrow", "venue":{"venue":"x","venue":5} ,"name":"\ud800"}`
	case 3:
		return `{"id":` + v.word("1e2", "1.0", "-0", "00", "0x1", "1E+400", "123456789012345678901234567890", "1.5e-3") + `,"name":"x"}`
	}
	text, err := json.Marshal(fields)
	if err != nil { // JSON cannot represent some numbers
		return "{}"
	}
	return strings.ReplaceAll(string(text), `\ufffd`, "\xff") // a byte that Marshal does not write
}

func (v *fuzzedValues) form(fields map[string]any) string {
	var parts []string
	for _, name := range sortedKeys(fields) {
		for _, pair := range v.flat(name, fields[name]) {
			parts = append(parts, v.escape(pair[0])+"="+v.escape(pair[1]))
		}
	}
	return strings.Join(parts, v.word("&", "&", "&", "&", "&&", ";"))
}

func (v *fuzzedValues) multipart(fields map[string]any) (contentType, body string) {
	boundary := fuzzedBoundary
	contentType = "multipart/form-data; boundary=" + v.word(boundary, `"`+boundary+`"`, boundary+"; charset=utf-8")
	var b strings.Builder
	for _, name := range sortedKeys(fields) {
		for _, pair := range v.flat(name, fields[name]) {
			b.WriteString("--" + boundary + "\r\n")
			switch v.IntN(12) {
			case 0:
				fmt.Fprintf(&b, "Content-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\nContent-Type: image/png\r\n\r\n", pair[0], v.word("a.png", "", "../x.php", "\xff"))
			case 1:
				fmt.Fprintf(&b, "content-disposition: form-data; name=%s\r\nContent-Transfer-Encoding: base64\r\n\r\n", pair[0])
			case 2:
				b.WriteString(v.word("\r\n", "Content-Disposition: attachment\r\n\r\n", "X: y\r\n\r\n", "Content-Disposition: form-data\r\n\r\n", ""))
			default:
				fmt.Fprintf(&b, "Content-Disposition: form-data; name=\"%s\"\r\n\r\n", strings.ReplaceAll(pair[0], `"`, `\"`))
			}
			b.WriteString(pair[1] + "\r\n")
		}
	}
	b.WriteString(v.word("--"+boundary+"--\r\n", "--"+boundary+"--", "", "--"+boundary, "--other--"))
	return contentType, b.String()
}

// damage changes a few bytes anywhere.
func (v *fuzzedValues) damage(text string) string {
	raw := []byte(text)
	for range 1 + v.IntN(4) {
		if len(raw) == 0 {
			break
		}
		at := v.IntN(len(raw))
		switch v.IntN(4) {
		case 0:
			raw[at] = byte(v.IntN(256))
		case 1:
			raw = slices.Delete(raw, at, min(len(raw), at+1+v.IntN(8)))
		case 2:
			raw = slices.Insert(raw, at, raw[at:min(len(raw), at+1+v.IntN(16))]...)
		case 3:
			raw = raw[:at]
		}
	}
	return string(raw)
}
