package rollout

import (
	"context"
	"errors"
	"net"
	"net/http"
)

// Results of asking WordPress, for metrics.
const (
	ResultAnswered = "answered"
	ResultFailed   = "failed"   // status 500 and above
	ResultAway     = "away"     // no connection, or it broke
	ResultSlow     = "slow"     // no answer in time
	ResultGone     = "gone"     // the client did not wait
	ResultTooLarge = "toolarge" // the body: more than is passed on or compared
)

// Results lists all results.
func Results() []string {
	return []string{ResultAnswered, ResultFailed, ResultAway, ResultSlow, ResultGone, ResultTooLarge}
}

// resultOf tells what a failure to get an answer is; ctx is the client's.
func resultOf(ctx context.Context, err error) string {
	var timeout net.Error
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ResultGone
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return ResultSlow
	}
	return ResultAway
}

// refuse answers for WordPress when it has not answered.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error, result string) {
	var tooLarge *http.MaxBytesError
	code := "calbridge_upstream_away"
	switch {
	case errors.As(err, &tooLarge):
		code = "calbridge_too_large"
	case result == ResultSlow:
		code = "calbridge_upstream_slow"
	}
	h.Native.Refuse(w, r, code)
}
