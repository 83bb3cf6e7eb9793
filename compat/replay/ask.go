package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"calbridge/compat/recording"
	"calbridge/compat/verdict"
	"calbridge/compat/wire"
	"calbridge/compat/wprest"
)

// asker sends exchanges and compares the answers with the recorded ones.
type asker struct {
	requests requests
	rewrite  wprest.Rewrite
	differ   verdict.Differ
	timeout  time.Duration // of one exchange
	details  bool          // results get a command line
}

// connection returns a connection to the target, not open yet.
func (a *asker) connection() *wire.Conn {
	return &wire.Conn{Endpoint: a.requests.endpoint, Timeout: a.timeout}
}

// ask sends one exchange, compares and completes the result. Only what makes going on
// pointless is an error; a single answer that does not come is a difference.
func (a *asker) ask(ctx context.Context, conn *wire.Conn, x *recording.Exchange, result *Result) error {
	if ctx.Err() != nil {
		return nil // the run has ended, the result is not looked at
	}
	sent := a.differ.Rules.For(x).Request(a.rewrite.Request(x.Request))
	request, err := a.requests.bytes(x, sent)
	if err != nil {
		return fmt.Errorf("%s:%d: %s: %w", x.File, x.Line, x.ID, err)
	}
	answer, took, err := conn.Send(ctx, request, x.Request.Method)
	result.TookMS = recording.Milliseconds(took)
	var unreachable *wire.UnreachableError
	if errors.As(err, &unreachable) {
		return err
	}
	recorded := a.rewrite.Response(x.Response)
	result.Request, result.Recorded = &sent, &recorded
	if a.details {
		result.Curl = a.requests.curl(x, sent)
	}
	if err != nil {
		result.Differences = verdict.NoAnswer(recorded, err)
	} else {
		result.Got = &answer
		result.Differences, err = a.differ.Diff(x, recorded, answer, result.StatusOnly)
		if err != nil {
			return fmt.Errorf("%s:%d: %s: %w", x.File, x.Line, x.ID, err)
		}
	}
	result.Outcome = verdict.OutcomeOf(result.Differences)
	return nil
}
