package rollout

import (
	"context"
	"errors"
	"net"
	"net/http"
)

// Results of requests to WordPress, for metrics.
const (
	ResultAnswered = "answered"
	ResultFailed   = "failed"   // status 500 and above
	ResultAway     = "away"     // no connection, or it broke
	ResultSlow     = "slow"     // timeout
	ResultGone     = "gone"     // the client closed the connection
	ResultTooLarge = "toolarge" // a body beyond the limit
)

// Results lists all results.
func Results() []string {
	return []string{ResultAnswered, ResultFailed, ResultAway, ResultSlow, ResultGone, ResultTooLarge}
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
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return ResultSlow
	}
	return ResultAway
}

// refuse sends an error for a request that WordPress has not answered.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, result string) {
	code := "calbridge_upstream_away"
	switch result {
	case ResultTooLarge:
		code = "calbridge_too_large"
	case ResultSlow:
		code = "calbridge_upstream_slow"
	}
	h.Native.Refuse(w, r, code)
}
