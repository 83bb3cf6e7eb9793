package recording

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The subset of HTTP Archive 1.2 that is read and written here. Members with an
// underscore are calbridge's own, which the format allows.

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

// harMessage holds the common members of requests and answers.
type harMessage struct {
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type harRequest struct {
	Method      string       `json:"method"`
	URL         string       `json:"url"`
	QueryString []harPair    `json:"queryString"`
	PostData    *harPostData `json:"postData,omitempty"`
	harMessage
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	harMessage
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harPostData struct {
	MIMEType string    `json:"mimeType"`
	Text     string    `json:"text"`
	Params   []harPair `json:"params,omitempty"`
	// Encoding is no part of the standard for requests, but some programs write it.
	Encoding string `json:"encoding,omitempty"`
}

type harContent struct {
	Size     int     `json:"size"`
	MIMEType string  `json:"mimeType"`
	Text     *string `json:"text,omitempty"`
	Encoding string  `json:"encoding,omitempty"`
}

// harTimings are in milliseconds; -1 means that a timing does not apply.
type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// harWriter writes entry by entry, so that it never holds a whole recording.
type harWriter struct {
	w         io.Writer
	origin    string // of exchanges without their own
	separator string // before the next entry
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
	data, err := MarshalPlain(harOf(x, cmp.Or(x.Origin, h.origin, originOf(x))))
	if err != nil {
		return fmt.Errorf("entry cannot be written: %w", err)
	}
	_, err = io.WriteString(h.w, h.separator+string(data))
	h.separator = ",\n"
	return err
}

// harOf returns an exchange, sent to the origin, as an entry.
func harOf(x *Exchange, origin string) harEntry {
	e := harEntry{Started: time.Unix(0, 0).UTC(), Time: x.TookMS, Timings: harTimings{Wait: x.TookMS}, ID: x.ID, Noise: x.Noise}
	if x.As != Anonymous {
		e.As = x.As
	}
	if date, err := http.ParseTime(x.Response.Header("date")); err == nil {
		e.Started = date.UTC()
	}
	message := harMessage{HTTPVersion: "HTTP/1.1", Cookies: []harPair{}, Headers: []harPair{}, HeadersSize: -1}
	e.Request = harRequest{Method: x.Request.Method, URL: origin + x.Request.Path, QueryString: []harPair{}, harMessage: message}
	e.Request.BodySize = len(x.Request.BodyText())
	_, query, _ := strings.Cut(x.Request.Path, "?")
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
	e.Response = harResponse{Status: x.Response.Status, StatusText: http.StatusText(x.Response.Status), RedirectURL: x.Response.Header("location"), harMessage: message,
		Content: harContent{Size: len(x.Response.Body), MIMEType: x.Response.Header("content-type"), Text: &text, Encoding: encoding}}
	e.Response.BodySize = len(x.Response.Body)
	for _, name := range slices.Sorted(maps.Keys(x.Response.Headers)) {
		for _, value := range x.Response.Headers[name] {
			e.Response.Headers = append(e.Response.Headers, harPair{name, value})
		}
	}
	return e
}
