package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// looksLikeHAR tells a HAR file from JSON Lines: its one object begins with the
// member "log".
func looksLikeHAR(r *bufio.Reader) bool {
	head, _ := r.Peek(4096)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	inner, isObject := bytes.CutPrefix(head, []byte("{"))
	return isObject && bytes.HasPrefix(bytes.TrimLeft(inner, " \t\r\n"), []byte(`"log"`))
}

// readHAR reads the entries one after the other, without holding the file. The
// number of an entry stands for its line.
func readHAR(r *bufio.Reader, name string, each func(Entry) error) error {
	if mark, _ := r.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		r.Discard(3)
	}
	d := json.NewDecoder(r)
	if err := enterMember(d, "log", '{'); err != nil {
		return fmt.Errorf("%s: not a HAR file: %w", name, err)
	}
	if err := enterMember(d, "entries", '['); err != nil {
		return fmt.Errorf("%s: not a HAR file: %w", name, err)
	}
	for number := 1; d.More(); number++ {
		var entry harEntry
		if err := d.Decode(&entry); err != nil {
			return fmt.Errorf("%s: entry %d: %w", name, number, err)
		}
		x, err := entry.exchange()
		if errors.Is(err, errNoAnswer) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: entry %d: %w", name, number, err)
		}
		if x.ID == "" {
			x.ID = fmt.Sprintf("har-%04d", number)
		}
		x.File, x.Line = name, number
		if err := each(Entry{Exchange: x}); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("%s: the list of entries is not closed: %w", name, err)
	}
	return nil
}

// enterMember moves the decoder into an object and on to the value of a member,
// of which it takes the opening bracket.
func enterMember(d *json.Decoder, member string, opening json.Delim) error {
	if opening == '{' { // the outermost object is still closed
		if token, err := d.Token(); err != nil || token != json.Delim('{') {
			return errors.Join(errors.New("an object is expected"), err)
		}
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if name == member {
			if token, err := d.Token(); err != nil || token != opening {
				return errors.Join(fmt.Errorf("%q is not as expected", member), err)
			}
			return nil
		}
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			return err
		}
	}
	return fmt.Errorf("%q is missing: %w", member, io.ErrUnexpectedEOF)
}

// errNoAnswer marks an entry that a browser blocked or gave up.
var errNoAnswer = errors.New("the entry has no answer")

// unsentHeaders belong to the connection that was recorded, or tell of abilities
// that the replaying client does not have: it reads no compressed answers.
var unsentHeaders = map[string]bool{
	"host": true, "connection": true, "content-length": true, "transfer-encoding": true,
	"accept-encoding": true, "keep-alive": true, "te": true, "upgrade": true, "proxy-connection": true,
}

// exchange makes an exchange of an entry. Bodies come decoded, as HAR has them; a
// body that the file leaves out is not compared.
func (e *harEntry) exchange() (*Exchange, error) {
	if e.Response.Status <= 0 {
		return nil, errNoAnswer
	}
	origin, path, err := splitURL(e.Request.URL)
	if err != nil {
		return nil, err
	}
	x := &Exchange{
		ID: e.ID, As: e.As, Origin: origin, Noise: slices.Clone(e.Noise), TookMS: e.took(), browsed: true,
		Request:  Request{Method: e.Request.Method, Path: path, Headers: map[string]string{}},
		Response: Response{Status: e.Response.Status, Headers: map[string]HeaderValues{}},
	}
	if x.Request.Method == "" {
		return nil, errors.New("the request has no method")
	}
	if x.As == "" {
		x.As = Anonymous
	}
	e.requestHeaders(x)
	if err := e.requestBody(x); err != nil {
		return nil, err
	}
	e.responseHeaders(x)
	return x, e.responseBody(x)
}

func (e *harEntry) requestHeaders(x *Exchange) {
	for _, h := range e.Request.Headers {
		name := strings.ToLower(h.Name)
		if name == "" || strings.HasPrefix(name, ":") || unsentHeaders[name] {
			continue
		}
		if name == "authorization" && h.Value == Redacted && x.As != Anonymous {
			continue // the login's own, sent anew
		}
		value := strings.ReplaceAll(h.Value, "\n", ", ")
		if before, sent := x.Request.Headers[name]; sent {
			separator := ", "
			if name == "cookie" {
				separator = "; "
			}
			value = before + separator + value
		}
		x.Request.Headers[name] = value
	}
}

func (e *harEntry) requestBody(x *Exchange) error {
	data := e.Request.PostData
	if data == nil {
		return nil
	}
	text := data.Text
	switch {
	case data.Encoding != "":
		var err error
		if text, err = decodeBody(data.Text, data.Encoding); err != nil {
			return err
		}
	case text == "" && len(data.Params) > 0:
		var pairs []string
		for _, p := range data.Params {
			pairs = append(pairs, url.QueryEscape(p.Name)+"="+url.QueryEscape(p.Value))
		}
		text = strings.Join(pairs, "&")
	}
	x.Request.Body = &text
	if _, sent := x.Request.Header("Content-Type"); !sent && data.MIMEType != "" {
		x.Request.Headers["content-type"] = data.MIMEType
	}
	return nil
}

func (e *harEntry) responseHeaders(x *Exchange) {
	for _, h := range e.Response.Headers {
		name := strings.ToLower(h.Name)
		// Bodies are stored unpacked, and are asked for unpacked.
		if name == "" || strings.HasPrefix(name, ":") || name == "content-encoding" {
			continue
		}
		// Chromium joins the lines of a repeated header with line ends.
		x.Response.Headers[name] = append(x.Response.Headers[name], strings.Split(h.Value, "\n")...)
	}
}

func (e *harEntry) responseBody(x *Exchange) error {
	content := e.Response.Content
	switch {
	case content.Text == nil:
		// Browsers forget bodies, and then write no size or -1.
		if (content.Size != 0 || e.Response.BodySize > 0) && x.Request.Method != http.MethodHead {
			x.Noise = append(x.Noise, "body")
		}
	case content.Encoding != "":
		body, err := decodeBody(*content.Text, content.Encoding)
		if err != nil {
			return err
		}
		x.Response.Body = body
	default:
		x.Response.Body = *content.Text
	}
	return nil
}

// took is the time from the first byte sent to the last byte read, as our own
// client measures it: without waiting for a connection.
func (e *harEntry) took() float64 {
	if sum := max(e.Timings.Send, 0) + max(e.Timings.Wait, 0) + max(e.Timings.Receive, 0); sum > 0 {
		return sum
	}
	return max(e.Time, 0)
}
