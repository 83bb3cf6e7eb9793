package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// These limits apply to what a server may make the mirror store or wait for.
const (
	maxPage    = 32 << 20
	maxItems   = 10_000 // per page
	maxMembers = 100    // per object of a page
	maxMessage = 16 << 20
	maxRefusal = 64 << 10
	// silence is how long a server may send nothing. The stream has a heartbeat every 15
	// seconds.
	silence = 45 * time.Second
	// pageTime limits the total time of a page.
	pageTime = 5 * time.Minute
)

var (
	errSilent = errors.New("the server sends nothing any more")
	errSlow   = errors.New("the server takes too long for a page of changes")
)

// NewClient returns a client for Run. It has no timeout, which would end streams. It doesn't
// send credentials unencrypted after a redirect.
func NewClient() *http.Client {
	return &http.Client{CheckRedirect: func(next *http.Request, before []*http.Request) error {
		if len(before) >= 10 {
			return errors.New("the server redirects again and again")
		}
		if before[0].URL.Scheme == "https" && next.URL.Scheme != "https" {
			return errors.New("the server redirects to an address without https")
		}
		return nil
	}}
}

// remote sends the requests.
type remote struct {
	client  *http.Client
	source  Source
	agent   string // User-Agent
	silence time.Duration
	// pageTime limits the total time of a page.
	pageTime time.Duration
	now      func() time.Time
}

// get requests a route. Reading the body fails when the server is silent for too long. Any
// status other than 200 is a *refusal.
func (r *remote) get(ctx context.Context, route string, arguments url.Values, header http.Header) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.source.endpoint(route, arguments), nil)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	if header != nil {
		req.Header = header
	}
	req.Header.Set("User-Agent", r.agent)
	if r.source.user != "" {
		req.SetBasicAuth(r.source.user, r.source.password)
	}
	watch := time.AfterFunc(r.silence, func() { cancel(errSilent) })
	resp, err := r.client.Do(req)
	watch.Stop()
	if err != nil {
		err = silentCause(ctx, err)
		cancel(nil)
		return nil, err
	}
	resp.Body = &watchedBody{resp.Body, ctx, cancel, watch, r.silence}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
	if err != nil {
		return nil, fmt.Errorf("status %d: %w", resp.StatusCode, err)
	}
	return nil, newRefusal(resp, text, r.now())
}

// silentCause returns the reason if a request was given up because of silence, and otherwise
// err.
func silentCause(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errSilent) {
		return errSilent
	}
	return err
}

// watchedBody cancels the request when a Read takes too long. The time between two Reads is
// the mirror's own and doesn't count.
type watchedBody struct {
	io.ReadCloser
	ctx     context.Context
	cancel  context.CancelCauseFunc
	watch   *time.Timer
	silence time.Duration
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	b.watch.Reset(b.silence)
	n, err := b.ReadCloser.Read(p)
	b.watch.Stop()
	if err != nil && err != io.EOF {
		err = silentCause(b.ctx, err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *watchedBody) Close() error {
	b.watch.Stop()
	b.cancel(nil)
	return b.ReadCloser.Close()
}
