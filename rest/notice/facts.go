package notice

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	factsOfWordPress   = "to-wordpress facts"
	factsFromWordPress = "from-wordpress facts"
)

// MaxFacts bounds a response of the plugin's facts route, in bytes.
const MaxFacts = 1 << 20

// Reasons why the plugin's facts are missing or not trusted.
var (
	ErrNoFacts   = errors.New("WordPress has no route for facts (status 404): copy calbridge-companion.php and calbridge-companion-facts.php, version 2 or later, to wp-content/mu-plugins, and define CALBRIDGE_SECRET in wp-config.php")
	ErrFactsSize = fmt.Errorf("the companion plugin's answer is larger than %d bytes: the address of WordPress leads elsewhere, or a plugin adds output to REST answers", MaxFacts)
	ErrUnsigned  = errors.New("the companion plugin's facts are not signed for this request: a proxy or plugin caches or changes REST answers, or the secrets differ; exclude /calbridge/v1/ from it and compare CALBRIDGE_SECRET")
)

// QueryFacts posts a query to the plugin's facts route and returns the text that the plugin has
// signed, of at most [MaxFacts] bytes. The signature covers the nonce of this request, so that
// neither an older response nor that of another plugin is accepted.
func (c *Client) QueryFacts(ctx context.Context, query []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.facts, bytes.NewReader(query))
	if err != nil {
		return nil, err
	}
	req.Host = c.Host
	req.Header.Set("User-Agent", cmp.Or(c.Agent, "calbridge"))
	req.Header.Set("Content-Type", "application/json")
	sign(req.Header, c.Secret, factsOfWordPress, time.Now(), query)
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotFound {
		return nil, ErrNoFacts
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, MaxFacts+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxFacts {
		return nil, ErrFactsSize
	}
	if err := understand(resp, text, new(Status)); err != nil {
		return nil, err
	}
	return c.signedFacts(req.Header, text)
}

// signedFacts returns the text in the response to the request with these headers, if its signature
// is right.
func (c *Client) signedFacts(request http.Header, answer []byte) ([]byte, error) {
	var signed struct {
		Facts     string `json:"facts"`
		Signature string `json:"signature"`
	}
	if err := json.Unmarshal(answer, &signed); err != nil {
		return nil, fmt.Errorf("the companion plugin's answer is not understood: %w", err)
	}
	given, err := hex.DecodeString(signed.Signature)
	facts := []byte(signed.Facts)
	want := mac(c.Secret, factsFromWordPress, request.Get(timestampHeader), request.Get(nonceHeader), facts)
	if err != nil || !hmac.Equal(given, want) {
		return nil, ErrUnsigned
	}
	return facts, nil
}
