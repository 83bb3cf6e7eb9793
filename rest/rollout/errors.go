package rollout

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
)

// Results of requests to WordPress, for metrics.
const (
	ResultAnswered = "answered"
	ResultFailed   = "failed"   // status 500 and above
	ResultAway     = "away"     // no connection, or it broke
	ResultSlow     = "slow"     // timeout
	ResultGone     = "gone"     // the client closed the connection
	ResultTooLarge = "toolarge" // a body beyond the limit
	ResultBadBody  = "badbody"  // the client's body is malformed or breaks off
)

// Results lists all results.
func Results() []string {
	return []string{ResultAnswered, ResultFailed, ResultAway, ResultSlow, ResultGone, ResultTooLarge, ResultBadBody}
}

// resultOf classifies a request to WordPress by its error or status; ctx is the client's.
func resultOf(ctx context.Context, err error, status int) string {
	var timeout net.Error
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge), errors.Is(err, errTooLarge):
		return ResultTooLarge
	case errors.Is(err, errFailed), err == nil && status >= http.StatusInternalServerError:
		return ResultFailed
	case err == nil:
		return ResultAnswered
	case errors.Is(ctx.Err(), context.Canceled):
		return ResultGone
	case errors.Is(err, errBody):
		return ResultBadBody
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return ResultSlow
	}
	return ResultAway
}

// retryAfter is the number of seconds after which clients should retry while WordPress is away.
const retryAfter = 5

// refuse sends an error for a request that WordPress has not answered.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, result string) {
	code := "calbridge_upstream_away"
	switch result {
	case ResultTooLarge:
		code = "calbridge_too_large"
	case ResultBadBody:
		code = "calbridge_bad_body"
	case ResultSlow:
		code = "calbridge_upstream_slow"
	}
	if code == "calbridge_upstream_away" || code == "calbridge_upstream_slow" {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	h.Native.Refuse(w, r, code)
}

// errBody is an error of reading what the client sends, which is not WordPress's fault.
var errBody = errors.New("the client's body breaks off")

// clientBody marks the errors of a client's body.
type clientBody struct{ io.ReadCloser }

// Read implements io.Reader.
func (b clientBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", errBody, err)
	}
	return n, err
}
