package compat

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Exchange is one recorded request with its answer: a line of a reads file.
type Exchange struct {
	ID string `json:"id"`
	// As is "anonymous" or a login of the site file, whose application password
	// is then sent as HTTP Basic.
	As       string   `json:"as"`
	Request  Request  `json:"request"`
	Response Response `json:"response"`
	// Noise lists what differed between two recordings of the same request and
	// must not be compared: "$.path" in the JSON body, "body", "headers.name".
	Noise []string `json:"noise,omitempty"`
	// Origin is scheme and host that were asked ("https://town.example"), where
	// the recording says so for every exchange, as HAR does.
	Origin string `json:"origin,omitempty"`
	// TookMS is how long the recorded side took, in milliseconds; 0 when it was
	// not measured.
	TookMS float64 `json:"took_ms,omitempty"`

	// Where the exchange came from, for messages.
	File string `json:"-"`
	Line int    `json:"-"`

	// home is the home URL in the header of the recording, if it has one.
	home string
	// browsed marks an exchange of a HAR file, which may hold anything that a
	// browser loaded, not requests to the API only.
	browsed bool
}

// AnonymousRead reports whether the exchange is a GET or HEAD that carries nothing
// to identify a user: no login, Authorization, cookie or nonce.
func (x *Exchange) AnonymousRead() bool {
	if x.Request.Method != "GET" && x.Request.Method != "HEAD" {
		return false
	}
	for _, name := range []string{"Authorization", "Cookie", "X-WP-Nonce"} {
		if _, sent := x.Request.Header(name); sent {
			return false
		}
	}
	_, query, _ := strings.Cut(x.Request.Path, "?")
	return (x.As == "" || x.As == "anonymous") && !parsePairs(query).Has("_wpnonce")
}

// Request is a request as it was sent. Path holds path and query exactly as they
// stood in the request line, percent-encoding untouched.
type Request struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	// Body is nil when none was sent. A GET may have one.
	Body *string `json:"body"`
}

// Header looks a request header up, whatever the case of its name, and tells
// whether it was sent: WordPress answers an empty header otherwise than none.
func (r *Request) Header(name string) (value string, sent bool) {
	for key, value := range r.Headers {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

// Response is a recorded answer. Header names are lower case.
type Response struct {
	Status  int                     `json:"status"`
	Headers map[string]HeaderValues `json:"headers"`
	Body    string                  `json:"body"`
}

// plainResponse is a Response without its methods.
type plainResponse Response

// encodedResponse is how a Response stands in a file: a body that is no UTF-8
// cannot be JSON text and is written in Base64.
type encodedResponse struct {
	plainResponse
	Encoding string `json:"encoding,omitempty"`
}

// MarshalJSON writes the body as text, or in Base64 when it is no UTF-8.
func (r Response) MarshalJSON() ([]byte, error) {
	out := encodedResponse{plainResponse: plainResponse(r)}
	if !utf8.ValidString(r.Body) {
		out.Encoding, out.Body = base64Encoding, base64.StdEncoding.EncodeToString([]byte(r.Body))
	}
	return marshalPlain(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Response) UnmarshalJSON(data []byte) error {
	var in encodedResponse
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*r = Response(in.plainResponse)
	if in.Encoding != "" {
		body, err := decodeBody(in.Body, in.Encoding)
		if err != nil {
			return err
		}
		r.Body = body
	}
	return nil
}

const base64Encoding = "base64"

func decodeBody(text, encoding string) (string, error) {
	if !strings.EqualFold(encoding, base64Encoding) {
		return "", fmt.Errorf("unknown encoding %q of a body", encoding)
	}
	body, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", fmt.Errorf("bad Base64 in a body: %w", err)
	}
	return string(body), nil
}

// marshalPlain is JSON without the escapes of <, > and &.
func marshalPlain(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// HeaderValues are the values of one header in the order of their lines. In
// JSON a single value is text, several are an array.
type HeaderValues []string

// UnmarshalJSON reads text or an array of texts.
func (v *HeaderValues) UnmarshalJSON(data []byte) error {
	var one string
	if err := json.Unmarshal(data, &one); err == nil {
		*v = HeaderValues{one}
		return nil
	}
	var many []string
	if err := json.Unmarshal(data, &many); err != nil {
		return fmt.Errorf("a header's value must be text or an array of texts: %w", err)
	}
	*v = many
	return nil
}

// MarshalJSON writes a single value as text and several as an array.
func (v HeaderValues) MarshalJSON() ([]byte, error) {
	if len(v) == 1 {
		return marshalPlain(v[0])
	}
	return marshalPlain([]string(v))
}

// Header returns a response header, several values joined with ", ". The name is
// given in lower case.
func (r *Response) Header(name string) string {
	return strings.Join(r.Headers[name], ", ")
}

// Case is one recorded write: steps sent in order to a site in its pristine
// state, and what they changed in its tables.
type Case struct {
	ID    string `json:"id"`
	As    string `json:"as"`
	Steps []Step `json:"steps"`
	// Rows is the difference between the pristine database and the one after the
	// last step, by table. Tables that did not change are absent.
	Rows map[string]TableChange `json:"rows"`
	// Noise names values in Rows that differed between two recordings, as
	// "rows.<table>.inserted[n].column".
	Noise []string `json:"noise,omitempty"`

	File string `json:"-"`
	Line int    `json:"-"`
}

// Step is one request of a case. As, when set, replaces the case's login; Noise
// is about this step's answer.
type Step struct {
	Request  Request  `json:"request"`
	Response Response `json:"response"`
	As       string   `json:"as,omitempty"`
	Noise    []string `json:"noise,omitempty"`
}

// Exchange gives a step the shape of a read, so that both can be looked at alike.
// The id carries the step's number when the case has several.
func (c *Case) Exchange(step int) *Exchange {
	s := c.Steps[step]
	as := s.As
	if as == "" {
		as = c.As
	}
	id := c.ID
	if len(c.Steps) > 1 {
		id = fmt.Sprintf("%s/%d", c.ID, step+1)
	}
	return &Exchange{ID: id, As: as, Request: s.Request, Response: s.Response, Noise: s.Noise, File: c.File, Line: c.Line}
}

// Row is a database row or a part of one: column to value. Integer columns hold
// json.Number, the others text or nil.
type Row map[string]any

// TableChange is what a case did to one table.
type TableChange struct {
	Inserted []Row       `json:"inserted,omitempty"`
	Updated  []RowUpdate `json:"updated,omitempty"`
	Deleted  []Row       `json:"deleted,omitempty"`
}

// RowUpdate is a changed row: its primary key and the changed columns only.
type RowUpdate struct {
	Key    Row `json:"key"`
	Before Row `json:"before"`
	After  Row `json:"after"`
	// OptionName names the row of the options table, whose key is a number.
	OptionName string `json:"option_name,omitempty"`
}
