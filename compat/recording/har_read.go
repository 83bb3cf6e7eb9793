package recording

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// looksLikeHAR reports whether a file is HAR rather than JSON Lines: its only object
// begins with the member "log".
func looksLikeHAR(r *bufio.Reader) bool {
	head, _ := r.Peek(4096)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	inner, isObject := bytes.CutPrefix(head, []byte("{"))
	return isObject && bytes.HasPrefix(bytes.TrimLeft(inner, " \t\r\n"), []byte(`"log"`))
}

// readHAR reads the entries one by one, without holding the file. Entry numbers take the
// place of line numbers.
func readHAR(r *bufio.Reader, name string, each func(Entry) error) error {
	if mark, _ := r.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		r.Discard(3)
	}
	d := json.NewDecoder(r)
	if err := enterEntries(d); err != nil {
		return fmt.Errorf("%s: not a HAR file: %w", name, err)
	}
	for number := 1; d.More(); number++ {
		var entry harEntry
		if err := d.Decode(&entry); err != nil {
			return fmt.Errorf("%s: entry %d: %w", name, number, err)
		}
		if entry.Response.Status <= 0 {
			continue // the browser blocked or cancelled the request
		}
		x, err := entry.exchange()
		if err != nil {
			return fmt.Errorf("%s: entry %d: %w", name, number, err)
		}
		x.ID = cmp.Or(x.ID, fmt.Sprintf("har-%04d", number))
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

// enterEntries moves the decoder into the list $.log.entries.
func enterEntries(d *json.Decoder) error {
	for _, member := range []string{"log", "entries"} {
		if err := expect(d, '{'); err != nil {
			return err
		}
		for {
			name, err := d.Token()
			if err != nil {
				return err
			}
			if name == member {
				break
			}
			if name == json.Delim('}') {
				return fmt.Errorf("%q is missing", member)
			}
			var skipped json.RawMessage
			if err := d.Decode(&skipped); err != nil {
				return err
			}
		}
	}
	return expect(d, '[')
}

func expect(d *json.Decoder, opening json.Delim) error {
	if token, err := d.Token(); err != nil || token != opening {
		return errors.Join(fmt.Errorf("%q is expected, not %v", opening, token), err)
	}
	return nil
}

// unsentHeaders belong to the recorded connection, or ask for compression, which the
// replaying client does not read.
var unsentHeaders = map[string]bool{
	"host": true, "connection": true, "content-length": true, "transfer-encoding": true,
	"accept-encoding": true, "keep-alive": true, "te": true, "upgrade": true, "proxy-connection": true,
}

// exchange turns an entry into an exchange. Bodies are decoded, as in HAR. A body
// missing from the file is not compared.
func (e *harEntry) exchange() (*Exchange, error) {
	origin, path, err := splitURL(e.Request.URL)
	if err != nil {
		return nil, err
	}
	if e.Request.Method == "" {
		return nil, errors.New("the request has no method")
	}
	x := &Exchange{
		ID: e.ID, As: cmp.Or(e.As, Anonymous), Origin: origin, Noise: slices.Clone(e.Noise), TookMS: e.took(), Browsed: true,
		Request:  Request{Method: e.Request.Method, Path: path, Headers: map[string]string{}},
		Response: Response{Status: e.Response.Status, Headers: map[string]HeaderValues{}},
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
			continue // the replay sends the login's own
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
	text, err := decodeBody(data.Text, data.Encoding)
	if err != nil {
		return err
	}
	if text == "" {
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
		// Bodies are stored, and replayed, uncompressed.
		if name == "" || strings.HasPrefix(name, ":") || name == "content-encoding" {
			continue
		}
		// Chromium joins the lines of a repeated header with line ends.
		x.Response.Headers[name] = append(x.Response.Headers[name], strings.Split(h.Value, "\n")...)
	}
}

func (e *harEntry) responseBody(x *Exchange) error {
	content := e.Response.Content
	if content.Text == nil {
		// Browsers drop bodies, and then write either no size or -1.
		if (content.Size != 0 || e.Response.BodySize > 0) && x.Request.Method != http.MethodHead {
			x.Noise = append(x.Noise, "body")
		}
		return nil
	}
	var err error
	x.Response.Body, err = decodeBody(*content.Text, content.Encoding)
	return err
}

// took returns the time from the first byte sent to the last byte read, without waiting
// for a connection. Package wire measures in the same way.
func (e *harEntry) took() float64 {
	if sum := max(e.Timings.Send, 0) + max(e.Timings.Wait, 0) + max(e.Timings.Receive, 0); sum > 0 {
		return sum
	}
	return max(e.Time, 0)
}
