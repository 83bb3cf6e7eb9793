package recording

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

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
