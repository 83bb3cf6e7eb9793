package recording

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
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

// harWriter writes entry by entry, so that a large recording is never held.
type harWriter struct {
	w         io.Writer
	keep      bool
	origin    string
	generator string
	count     int
}

func (h *harWriter) add(e Entry) error {
	switch {
	case e.Exchange != nil:
		return h.entry(e.Exchange)
	case e.Case != nil:
		for step := range e.Case.Steps {
			if err := h.entry(e.Case.Exchange(step)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *harWriter) entry(x *Exchange) error {
	if !h.keep {
		x = Redact(x, nil)
	}
	origin := h.origin
	if origin == "" {
		origin = originOf(x)
	}
	data, err := MarshalPlain(harOf(x, origin))
	if err != nil {
		return fmt.Errorf("entry cannot be written: %w", err)
	}
	separator := ",\n"
	if h.count == 0 {
		separator = h.opening()
	}
	h.count++
	_, err = io.WriteString(h.w, separator+string(data))
	return err
}

func (h *harWriter) opening() string {
	creator, _ := json.Marshal(harCreator{Name: "calbridge", Version: h.generator})
	return `{"log":{"version":"1.2","creator":` + string(creator) + `,"entries":[` + "\n"
}

func (h *harWriter) close() error {
	opening := ""
	if h.count == 0 {
		opening = h.opening()
	}
	_, err := io.WriteString(h.w, opening+"\n]}}\n")
	return err
}

// harOf writes an exchange as an entry. origin is taken when the exchange does
// not know where it was asked.
func harOf(x *Exchange, origin string) harEntry {
	if x.Origin != "" {
		origin = x.Origin
	}
	e := harEntry{Started: time.Unix(0, 0).UTC(), Time: x.TookMS, Timings: harTimings{Wait: x.TookMS}, ID: x.ID, Noise: x.Noise}
	if x.As != Anonymous {
		e.As = x.As
	}
	if date, err := http.ParseTime(x.Response.Header("date")); err == nil {
		e.Started = date.UTC()
	}
	_, query, _ := strings.Cut(x.Request.Path, "?")
	e.Request = harRequest{
		Method: x.Request.Method, URL: origin + x.Request.Path, HTTPVersion: "HTTP/1.1",
		Cookies: []harPair{}, Headers: []harPair{}, QueryString: []harPair{}, HeadersSize: -1, BodySize: len(x.Request.BodyText()),
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
