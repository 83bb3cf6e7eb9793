package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/explain"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// asker sends exchanges and compares the answers with the recorded ones.
type asker struct {
	requests requests
	rewrite  wprest.Rewrite
	differ   Differ
	timeout  time.Duration // of one exchange
	details  bool          // results get a command line
	target   target
}

// connection returns a connection to the target, not open yet.
func (a *asker) connection() *Conn {
	return &Conn{Endpoint: a.requests.endpoint, Timeout: a.timeout}
}

// ask sends one exchange, compares and completes the result. Its errors end the run; a
// single missing answer is a difference.
func (a *asker) ask(ctx context.Context, conn *Conn, x *recording.Exchange, result *Result) error {
	if ctx.Err() != nil {
		return nil // the run has ended
	}
	sent := a.differ.Rules.For(x).Request(a.rewrite.Request(x.Request))
	request, err := a.requests.bytes(x, sent)
	if err != nil {
		return fmt.Errorf("%s:%d: %s: %w", x.File, x.Line, x.ID, err)
	}
	answer, took, err := conn.Send(ctx, request, x.Request.Method)
	result.TookMS = recording.Milliseconds(took)
	var unreachable *UnreachableError
	if errors.As(err, &unreachable) {
		return err
	}
	recorded := a.rewrite.Response(x.Response)
	result.Request, result.Recorded = &sent, &recorded
	if a.details {
		host, scheme := a.requests.hostAndScheme(x)
		result.Curl = CurlLine(a.requests.endpoint.URL, host, scheme, x.As, sent)
	}
	if err != nil {
		result.Differences = NoAnswer(recorded, err)
	} else {
		result.Got = &answer
		result.Differences, err = a.explained(ctx, conn, x, sent, recorded, answer, result.StatusOnly)
		if err != nil {
			return fmt.Errorf("%s:%d: %s: %w", x.File, x.Line, x.ID, err)
		}
	}
	result.Outcome = OutcomeOf(result.Differences)
	return nil
}

// as returns a function that asks the target as the login of an exchange.
func (a *asker) as(x *recording.Exchange, conn *Conn) func(context.Context, recording.Request) (recording.Response, error) {
	return func(ctx context.Context, r recording.Request) (recording.Response, error) {
		request, err := a.requests.bytes(x, r)
		if err != nil {
			return recording.Response{}, err
		}
		answer, _, err := conn.Send(ctx, request, r.Method)
		return answer, err
	}
}

// explained compares an answer and explains the differences. If some stay unexplained, it asks
// once more: the target may have changed in between.
func (a *asker) explained(ctx context.Context, conn *Conn, x *recording.Exchange, sent recording.Request, recorded, got recording.Response, statusOnly bool) ([]diff.Difference, error) {
	c := explain.Case{Sent: sent, Recorded: recorded, Got: got, Namespace: a.target.namespace, Listed: a.target.listed, Ask: a.as(x, conn)}
	c.Level = a.target.levelOf(got)
	found, err := a.differ.explained(ctx, x, c, statusOnly)
	if err != nil || OutcomeOf(found) != Different {
		return found, err
	}
	again, err := c.Ask(ctx, sent)
	if err != nil || again.Status == got.Status && again.Body == got.Body {
		return found, nil
	}
	c.Earlier, c.Got = &got, again
	later, err := a.differ.explained(ctx, x, c, statusOnly)
	if err != nil || OutcomeOf(later) == Different {
		return found, err
	}
	return append(later, diff.Difference{Part: diff.PartBody, Level: diff.LevelSemantic, Recorded: "the same as the second answer", Got: "another first answer",
		Cause: diff.Cause{Category: diff.Raced, Name: explain.Changed}}), nil
}

// requests turns recorded requests into bytes to send, with the recorded site's host and
// the passwords of its logins.
type requests struct {
	endpoint Endpoint
	site     *recording.Site   // nil without a site file
	home     *url.URL          // of the site, nil without a site file
	logins   map[string]string // application passwords, before those of the site
}

// bytes returns the request of an exchange in the form to send.
func (r *requests) bytes(x *recording.Exchange, sent recording.Request) ([]byte, error) {
	authorization := ""
	if x.As != "" && x.As != recording.Anonymous {
		var err error
		if password, given := r.logins[x.As]; given {
			authorization = recording.BasicAuthorization(x.As, password)
		} else if authorization, err = r.site.Authorization(x.As); err != nil {
			return nil, err
		}
	}
	host, scheme := r.hostAndScheme(x)
	host = cmp.Or(sent.Host, host)
	return RequestBytes(sent, host, scheme, authorization)
}

// hostAndScheme returns the host and scheme of the site's home: from the site file, else
// from the recording, else from the target. A recording made with a different scheme
// names it.
func (r *requests) hostAndScheme(x *recording.Exchange) (host, scheme string) {
	if r.home != nil {
		return r.home.Host, cmp.Or(x.Scheme(), r.home.Scheme)
	}
	for _, text := range x.Homes() {
		if home, err := url.Parse(text); err == nil && home.Host != "" {
			return home.Host, home.Scheme
		}
	}
	return r.endpoint.Address, "http"
}
