package compat

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// HTTP Archive 1.2, as far as it is read and written here. Members that begin with
// an underscore are our own: the format leaves them to programs.

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type harEntry struct {
	Started  time.Time   `json:"startedDateTime"`
	Time     float64     `json:"time"` // milliseconds
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`

	ID    string   `json:"_id,omitempty"`
	As    string   `json:"_as,omitempty"`
	Noise []string `json:"_noise,omitempty"`
}

type harRequest struct {
	Method      string       `json:"method"`
	URL         string       `json:"url"`
	HTTPVersion string       `json:"httpVersion"`
	Cookies     []harPair    `json:"cookies"`
	Headers     []harPair    `json:"headers"`
	QueryString []harPair    `json:"queryString"`
	PostData    *harPostData `json:"postData,omitempty"`
	HeadersSize int          `json:"headersSize"`
	BodySize    int          `json:"bodySize"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harPostData struct {
	MIMEType string    `json:"mimeType"`
	Text     string    `json:"text"`
	Params   []harPair `json:"params,omitempty"`
	// Encoding is not in the standard for requests, but programs write it.
	Encoding string `json:"encoding,omitempty"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type harContent struct {
	Size     int     `json:"size"`
	MIMEType string  `json:"mimeType"`
	Text     *string `json:"text,omitempty"`
	Encoding string  `json:"encoding,omitempty"`
}

// harTimings are milliseconds, -1 standing for what does not apply.
type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
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
		x.As = anonymous
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
		if name == "authorization" && h.Value == redacted && x.As != anonymous {
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

// splitURL parts a URL into scheme and host and what stood in the request line,
// the escapes untouched.
func splitURL(text string) (origin, path string, err error) {
	scheme, rest, found := strings.Cut(text, "://")
	if scheme = strings.ToLower(scheme); !found || (scheme != "http" && scheme != "https") {
		return "", "", fmt.Errorf("%q is not an http or https URL", cut(text, 100))
	}
	rest, _, _ = strings.Cut(rest, "#")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	host := rest[:end]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if host == "" {
		return "", "", fmt.Errorf("%q names no host", cut(text, 100))
	}
	path = rest[end:]
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return scheme + "://" + host, path, nil
}

// harOf writes an exchange as an entry. origin is taken when the exchange does
// not know where it was asked.
func harOf(x *Exchange, origin string) harEntry {
	if x.Origin != "" {
		origin = x.Origin
	}
	e := harEntry{Started: time.Unix(0, 0).UTC(), Time: x.TookMS, Timings: harTimings{Wait: x.TookMS}, ID: x.ID, Noise: x.Noise}
	if x.As != anonymous {
		e.As = x.As
	}
	if date, err := http.ParseTime(x.Response.Header("date")); err == nil {
		e.Started = date.UTC()
	}
	_, query, _ := strings.Cut(x.Request.Path, "?")
	e.Request = harRequest{
		Method: x.Request.Method, URL: origin + x.Request.Path, HTTPVersion: "HTTP/1.1",
		Cookies: []harPair{}, Headers: []harPair{}, QueryString: []harPair{}, HeadersSize: -1, BodySize: len(bodyText(x.Request)),
	}
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(pair, "="); name != "" {
			e.Request.QueryString = append(e.Request.QueryString, harPair{unescapeLoosely(name), unescapeLoosely(value)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.Request.Headers)) {
		e.Request.Headers = append(e.Request.Headers, harPair{name, x.Request.Headers[name]})
	}
	if x.Request.Body != nil {
		mime, _ := x.Request.Header("Content-Type")
		text, encoding := encodeBody(*x.Request.Body)
		e.Request.PostData = &harPostData{MIMEType: mime, Text: text, Encoding: encoding}
	}
	text, encoding := encodeBody(x.Response.Body)
	e.Response = harResponse{
		Status: x.Response.Status, StatusText: http.StatusText(x.Response.Status), HTTPVersion: "HTTP/1.1",
		Cookies: []harPair{}, Headers: []harPair{}, RedirectURL: x.Response.Header("location"), HeadersSize: -1, BodySize: len(x.Response.Body),
		Content: harContent{Size: len(x.Response.Body), MIMEType: x.Response.Header("content-type"), Text: &text, Encoding: encoding},
	}
	for _, name := range slices.Sorted(maps.Keys(x.Response.Headers)) {
		for _, value := range x.Response.Headers[name] {
			e.Response.Headers = append(e.Response.Headers, harPair{name, value})
		}
	}
	return e
}

func encodeBody(body string) (text, encoding string) {
	if utf8.ValidString(body) {
		return body, ""
	}
	return base64.StdEncoding.EncodeToString([]byte(body)), base64Encoding
}
