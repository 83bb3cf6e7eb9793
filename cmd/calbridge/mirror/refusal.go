package mirror

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// refusal is a response other than the requested one.
type refusal struct {
	status     int
	reason     string // a word of the wire format, or ""
	message    string // the server's, or ""
	login      bool   // whether the request had a login
	retryAfter time.Duration
}

// Error returns what is wrong and what to do.
func (r *refusal) Error() string {
	switch r.status {
	case http.StatusNotFound:
		return "--url: the server offers no changes at this address: start the remote calbridge with --extensions and without --compat exact, and let the web server route the whole namespace to it; or correct the address"
	case http.StatusNotImplemented:
		switch r.reason {
		case "state-dir":
			return "the server keeps no journal of changes: start the remote calbridge with --state-dir"
		case "binary-log":
			return "the server doesn't follow the binary log of its database: run `calbridge check` there to see what is missing"
		case "journal":
			return "the server can't open its journal of changes: check its log and its --state-dir"
		}
		return "the server can't track changes" + r.quoted()
	case http.StatusUnauthorized, http.StatusForbidden:
		if r.login {
			return "the server doesn't accept --user and --password-file: use a login and one of its application passwords" + r.quoted()
		}
		return "the server doesn't show this to anonymous visitors: pass --user and --password-file" + r.quoted()
	case http.StatusBadRequest:
		return "the server doesn't accept these filters: correct --filter or the query of --url" + r.quoted()
	case http.StatusGone:
		if r.reason != "" { // the reason says more than the server's text, which is the same for all reasons
			return fmt.Sprintf("the position is no longer valid (%.20q)", r.reason)
		}
		return "the position is no longer valid" + r.quoted()
	}
	if r.busy() {
		return "the server is busy" + r.quoted()
	}
	return fmt.Sprintf("the server answers with status %d", r.status) + r.quoted()
}

// quoted returns the server's text, if any. It escapes line ends and control characters.
func (r *refusal) quoted() string {
	for _, text := range []string{r.message, r.reason} {
		if text != "" {
			return " (its message: " + strconv.QuoteToGraphic(text[:min(len(text), 300)]) + ")"
		}
	}
	return ""
}

// busy reports whether the same request may succeed a little later.
func (r *refusal) busy() bool {
	return r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable
}

// permanent reports whether only a person can make the request succeed.
func (r *refusal) permanent() bool {
	return slices.Contains([]int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusNotImplemented}, r.status)
}

// newRefusal reads an error of the API. The member data of the error is the reason or contains
// it.
func newRefusal(resp *http.Response, body []byte, now time.Time) *refusal {
	r := &refusal{status: resp.StatusCode, retryAfter: parseRetryAfter(resp.Header.Get("Retry-After"), now)}
	if resp.Request != nil {
		_, _, r.login = resp.Request.BasicAuth()
	}
	var answer struct {
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return r
	}
	r.message = answer.Message
	var data struct {
		Reason string `json:"reason"`
	}
	if json.Unmarshal(answer.Data, &r.reason) != nil && json.Unmarshal(answer.Data, &data) == nil {
		r.reason = data.Reason
	}
	return r
}

// parseRetryAfter parses seconds or a date. It returns 0 for anything else, and for the past.
func parseRetryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
