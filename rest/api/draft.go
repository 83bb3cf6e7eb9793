package api

import (
	"sync/atomic"

	"calbridge/wpstore/invalidation"
)

// Draft describes a finished answer before it is sent, for a caller that may answer otherwise.
type Draft struct {
	Route       string // template of the matched route, "" when none matched
	Language    string // code, "" for none
	ContentType string
	// Shared: a successful answer to an anonymous GET, the same for all clients. Only then
	// are the others set.
	Shared bool
	// Tags are what the answer depends on.
	Tags []invalidation.Tag
	// Memo is kept with a cached answer: its caller may remember there what it found out.
	// Nil where the answer isn't cached.
	Memo *atomic.Value
}
