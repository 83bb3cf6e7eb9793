package purge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"calbridge/rest/cachetag"
)

// Provider is a kind of cache.
type Provider string

// The providers.
const (
	// Varnish is called by PURGE with the names in the header xkey, or by BAN with a pattern of them
	// in the header xkey-pattern; docker/varnish has the VCL.
	Varnish Provider = "varnish"
	// Fastly is called by its API: POST /service/ID/purge, as a soft purge.
	Fastly Provider = "fastly"
	// Cloudflare is called by its API: POST /client/v4/zones/ID/purge_cache.
	Cloudflare Provider = "cloudflare"
	// HTTP is any server that takes POST with {"tags": ["NAME", …]} and answers 2xx.
	HTTP Provider = "http"
)

// Format returns the header of a provider's tags, "" if it may be any.
func (p Provider) Format() cachetag.Format {
	switch p {
	case Varnish:
		return cachetag.XKey
	case Fastly:
		return cachetag.SurrogateKey
	case Cloudflare:
		return cachetag.CacheTag
	}
	return ""
}

// limits bound one call.
type limits struct{ names, bytes int }

// limits returns the most names of one call, and their bytes with separators; 0 means any number.
func (p Provider) limits() limits {
	switch p {
	case Varnish:
		return limits{500, 6 << 10} // http_req_hdr_len is 8 KiB by default
	case Fastly:
		return limits{names: 256}
	case Cloudflare:
		return limits{names: 100}
	}
	return limits{names: 500}
}

// pace is a number of calls per second, and how many may follow each other at once.
type pace struct {
	rate  float64
	burst int
}

// pace returns the pace of a provider's plan; ok is false if there is no such plan.
func (p Provider) pace(plan string) (at pace, ok bool) {
	if p != Cloudflare {
		return map[Provider]pace{Varnish: {100, 100}, Fastly: {2, 20}, HTTP: {10, 20}}[p], plan == ""
	}
	at, ok = map[string]pace{"": {5. / 60, 25}, "free": {5. / 60, 25}, "pro": {5, 25}, "business": {10, 50}, "enterprise": {50, 500}}[plan]
	return at, ok
}

// limits returns the limits of the target's provider.
func (t *Target) limits() limits { return t.Provider.limits() }

// request returns the call that purges names.
func (t *Target) request(ctx context.Context, names []string) (*http.Request, error) {
	method, address, body := http.MethodPost, t.URL, any(nil)
	header := http.Header{}
	switch t.Provider {
	case Varnish:
		method = t.Method
		if method == methodBan {
			const outside = "[^a-z0-9_-]" // of names; Varnish takes a space for the end of the pattern
			header.Set("Xkey-Pattern", "(^|"+outside+")("+strings.Join(names, "|")+")("+outside+"|$)")
		} else {
			header.Set("Xkey", strings.Join(names, " "))
		}
	case Fastly:
		address, body = t.URL+"/service/"+url.PathEscape(t.ID)+"/purge", map[string][]string{"surrogate_keys": names}
		header.Set("Fastly-Key", t.token)
		header.Set("Fastly-Soft-Purge", "1")
	case Cloudflare:
		address, body = t.URL+"/client/v4/zones/"+url.PathEscape(t.ID)+"/purge_cache", map[string][]string{"tags": names}
	case HTTP:
		body = map[string][]string{"tags": names}
	}
	if t.token != "" && t.Provider != Fastly {
		header.Set("Authorization", "Bearer "+t.token)
	}
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
		header.Set("Content-Type", "application/json")
	}
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	r.Header = header
	return r, nil
}

// judge returns an error unless the response confirms the purge.
func (t *Target) judge(resp *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return err
	}
	if resp.StatusCode == http.StatusTooManyRequests {
		seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
		if err != nil || seconds < 1 {
			seconds = 1
		}
		return &limitedError{min(time.Duration(seconds)*time.Second, time.Minute)}
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("it answered %s: %.200q", resp.Status, text)
	}
	if t.Provider == Cloudflare {
		var result struct{ Success bool }
		if json.Unmarshal(text, &result) != nil || !result.Success {
			return fmt.Errorf("it answered %s without success: %.200q", resp.Status, text)
		}
	}
	return nil
}
