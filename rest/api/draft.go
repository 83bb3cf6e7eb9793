package api

import (
	"sync/atomic"

	"calbridge/wpstore/invalidation"
)

// Draft describes a finished response before it is sent, for a caller that may send another one
// instead.
type Draft struct {
	Route       string // template of the matched route, "" when none matched
	Language    string // code, "" for none
	ContentType string
	// Shared reports a successful response to an anonymous GET that is the same for all clients.
	// Only then are the other fields set.
	Shared bool
	// Tags are what the response depends on.
	Tags []invalidation.Tag
	// Memo is stored with a cached response, so that the caller can cache its decision there. It is
	// nil if the response isn't cached.
	Memo *atomic.Value
}
