package respcache

import (
	"bytes"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

// Answer is a finished response, the same for every client that sends the same request. It is
// immutable except for its compressed forms, which are added on demand.
type Answer struct {
	Status int
	// Code is the public code of a refusal, "" for any other response.
	Code string
	// Header lacks the headers that depend on the client's Origin or Accept-Encoding.
	Header http.Header
	Body   []byte
	// Route and Language are for metrics and logs.
	Route, Language string

	// NotRendered are blocks and shortcodes of other plugins in its texts.
	NotRendered []string

	// Built is the tracker's generation from before the first read for the response. Tags are what
	// the response depends on.
	Built uint64
	Tags  []invalidation.Tag
	// From and Until are Unix times: the response is valid from the one and before the other. An
	// Until of 0 means always.
	From, Until int64
	// Shared, CrossOrigin, Page and Cookie are copied from the [api.Response].
	Shared      bool
	CrossOrigin *api.CrossOrigin
	Page        bool
	Cookie      *api.Cookie

	// Objects is copied from the [api.Response].
	Objects api.Validity

	// instead is the response that is sent in place of this one, nil for none.
	instead atomic.Pointer[Answer]
	// memo is the Memo of its Summary.
	memo atomic.Value
	// seen is the generation at which the response was last found to be fresh.
	seen       atomic.Uint64
	compressed [encodings]atomic.Pointer[[]byte]
	etag       atomic.Pointer[string]
	named      atomic.Pointer[http.Header]
	// grown is called when the response takes more memory than before; it may be nil.
	grown func()
}

// Summary describes the response.
func (a *Answer) Summary() *api.Summary {
	return &api.Summary{Route: a.Route, Language: a.Language, ContentType: a.Header.Get("Content-Type"), Shared: a.Shared, Tags: a.Tags, NotRendered: a.NotRendered, Body: a.Body, Objects: a.Objects, Memo: &a.memo}
}

// Instead returns the same response with another body. The response keeps the last one.
func (a *Answer) Instead(body []byte) *Answer {
	if b := a.instead.Load(); b != nil && bytes.Equal(b.Body, body) {
		return b
	}
	b := &Answer{Status: a.Status, Header: a.Header, Body: body, CrossOrigin: a.CrossOrigin, Route: a.Route, Language: a.Language, Page: a.Page, Cookie: a.Cookie, Built: a.Built, Tags: a.Tags, From: a.From, Until: a.Until, grown: a.grown}
	a.instead.Store(b)
	if a.grown != nil {
		a.grown()
	}
	return b
}

// ETag returns the entity tag of the uncompressed body, without quotes: its xxHash, which is
// fast and the same in every process behind a load balancer.
func (a *Answer) ETag() string {
	if tag := a.etag.Load(); tag != nil {
		return *tag
	}
	tag := strconv.FormatUint(xxhash.Sum64(a.Body), 16)
	a.etag.Store(&tag)
	return tag
}

// Encoded returns the body in an encoding, compressed once.
func (a *Answer) Encoded(e Encoding, c *Compressor) []byte {
	if e == Identity {
		return a.Body
	}
	if body := a.compressed[e].Load(); body != nil {
		return *body
	}
	body := bytes.Clone(c.Compress(e, a.Body)) // without its spare capacity
	a.compressed[e].Store(&body)
	if a.grown != nil {
		a.grown()
	}
	return body
}

// Named returns the headers that name the response's tags, which name makes once. It is the same
// function each time: a response is always subject to what WordPress was seen to answer, or never.
func (a *Answer) Named(name func([]invalidation.Tag) http.Header) http.Header {
	if h := a.named.Load(); h != nil {
		return *h
	}
	h := name(a.Tags)
	a.named.Store(&h)
	if a.grown != nil {
		a.grown()
	}
	return h
}
