package recording

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// plainResponse is a Response without its methods.
type plainResponse Response

// encodedResponse is a Response as files have it.
type encodedResponse struct {
	plainResponse
	Encoding string `json:"encoding,omitempty"`
}

// MarshalJSON writes the body as text, or in Base64 if it is not valid UTF-8.
func (r Response) MarshalJSON() ([]byte, error) {
	out := encodedResponse{plainResponse: plainResponse(r)}
	out.Body, out.Encoding = encodeBody(r.Body)
	return MarshalPlain(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Response) UnmarshalJSON(data []byte) error {
	var in encodedResponse
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*r = Response(in.plainResponse)
	var err error
	r.Body, err = decodeBody(in.Body, in.Encoding)
	return err
}

const base64Encoding = "base64"

// decodeBody undoes encodeBody; an encoding of "" is plain text.
func decodeBody(text, encoding string) (string, error) {
	if encoding == "" {
		return text, nil
	}
	if !strings.EqualFold(encoding, base64Encoding) {
		return "", fmt.Errorf("unknown encoding %q of a body", encoding)
	}
	body, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", fmt.Errorf("bad Base64 in a body: %w", err)
	}
	return string(body), nil
}

// encodeBody returns a body as text, or in Base64 if it is not valid UTF-8.
func encodeBody(body string) (text, encoding string) {
	if utf8.ValidString(body) {
		return body, ""
	}
	return base64.StdEncoding.EncodeToString([]byte(body)), base64Encoding
}

// MarshalPlain returns the JSON of a value without the escapes of <, > and &.
func MarshalPlain(value any) ([]byte, error) {
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
		return MarshalPlain(v[0])
	}
	return MarshalPlain([]string(v))
}
