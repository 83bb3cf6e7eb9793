package api

import (
	"context"
	"time"
)

// Observation is what metrics and the access log record of a request. Except Path, its
// texts come from bounded sets: a client cannot make new ones.
type Observation struct {
	Context  context.Context
	Method   string // a known method, or OTHER
	Route    string // template of the matched route, "" when none matched
	Language string // code of the language chosen by URL or parameter, "" for none
	Path     string // as sent, for the log only
	Status   int
	Code     string // code of the error in the response
	Bytes    int
	Queries  int // until the response began; those of a streamed body are not included
	UserID   int64
	Auth     string // scheme of the credentials: none, basic, cookie
	Cache    CacheResult
	Took     time.Duration
	Panicked bool
	Err      error // the internal cause of a failure
	// NotRendered are blocks and shortcodes that the site's own plugins would have
	// rendered otherwise. They come from stored texts.
	NotRendered []string
	// LeftOut is the number of events left out of a feed that was built for the request.
	LeftOut int
}

// CacheResult describes the response cache's part in a request. It is a metric label.
type CacheResult string

// The results. A request bypasses the cache if it has credentials, for example, or if the cache
// could not catch up with all changes.
const (
	CacheOff    CacheResult = "off"
	CacheHit    CacheResult = "hit"
	CacheMiss   CacheResult = "miss"
	CacheBypass CacheResult = "bypass"
)

// CacheResults lists them.
func CacheResults() []CacheResult {
	return []CacheResult{CacheOff, CacheHit, CacheMiss, CacheBypass}
}
