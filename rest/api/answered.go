package api

import (
	"net/http"
	"sync/atomic"
	"time"

	"calbridge/wpstore/invalidation"
)

// Answered is the server's complete response to a request, before it is sent. It doesn't change. Its
// owner sends it, copies it, or has WordPress answer instead, and then closes it.
type Answered interface {
	// Summary describes the response.
	Summary() *Summary
	// NotRendered names the blocks and shortcodes that the site's own plugins would render
	// otherwise. It returns names only for successful responses to plain GETs, which WordPress can
	// answer instead.
	NotRendered() []string
	// Elsewhere reports that only WordPress has the page, such as an iCalendar export of a page of
	// its own. Requests with a body can't be passed on, and are never reported.
	Elsewhere() bool
	// Replace makes Send send another body in place of the response's own. The cached response keeps it
	// with its compressed forms until it is replaced again.
	Replace(body []byte)
	// Limit limits what shared caches in front may store of what Send sends. Without it, they may store
	// what the response cache has.
	Limit(Storing)
	// Send sends the response to the client, and observes it. The time between the answer and its
	// sending doesn't count. If a streamed body breaks off, Send panics with [http.ErrAbortHandler].
	Send(http.ResponseWriter)
	// Copy writes the response's own body for a comparison. Nothing is observed. It returns the error that cut
	// off a streamed body.
	Copy(http.ResponseWriter) error
	// Close frees what the response holds. It must be called once.
	Close()
}

// Storing limits what shared caches in front may store of a response that is sent because WordPress was
// seen to answer the same, or with WordPress's objects.
type Storing struct {
	// Age is the longest time. The response is not stored if it isn't positive.
	Age time.Duration
	// Holds reports, when the headers are written, whether the response would still be sent.
	Holds interface{ Holds() bool }
}

// Summary describes a finished response before it is sent, for a caller that may send another one
// instead.
type Summary struct {
	Route       string // template of the matched route, "" when none matched
	Language    string // code, "" for none
	ContentType string
	// Shared reports a successful response to an anonymous GET that is the same for all clients.
	// Only then are the other fields set.
	Shared bool
	// Tags name all that the response depends on.
	Tags []invalidation.Tag
	// NotRendered names the blocks and shortcodes of other plugins in the response. If there are any,
	// its body may only be sent after WordPress's objects have replaced its own.
	NotRendered []string
	// Body is the response without content coding. The caller must not change it.
	Body []byte
	// Objects describes how long the objects in the response are valid.
	Objects Validity
	// Memo is stored with a cached response, so that the caller can cache its decision there. It is
	// nil if the response isn't cached.
	Memo *atomic.Value
}
