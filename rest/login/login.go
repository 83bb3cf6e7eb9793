// Package login finds out who sends a request: from a login cookie with its nonce, or
// from an application password, as WordPress does.
//
// In: a parsed request and the site; out: an [Identity]. authenticate.go takes
// WordPress's steps in its order, password.go looks at application passwords, cookie.go at
// login cookies and nonces. throttle.go slows down who guesses, user_cache.go saves a
// query for clients that log in with every request. It knows neither routes nor answers.
package login

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/rest/wpauth"
	"calbridge/rest/wpcap"
	"calbridge/wpstore/sitedb"
)

// Config holds what authentication needs from wp-config.php.
type Config struct {
	Keys wpauth.Keys
	// ApplicationPasswords is auto (as WordPress decides), on or off.
	ApplicationPasswords string
	// Environment is WP_ENVIRONMENT_TYPE; local allows application passwords
	// without HTTPS.
	Environment string
	// RecordUse writes last_used and last_ip of an application password, at most
	// once a day.
	RecordUse bool
	// FreeFailures is how many wrong credentials an address may send before it is
	// slowed down; 0 never slows anybody down.
	FreeFailures int
}

// Options are what else a Desk depends on.
type Options struct {
	// Store is where the use of passwords is recorded, after the answer.
	Store  *sitedb.DB
	Logger *slog.Logger
	// RealNow is the real clock: a replay's clock stands still.
	RealNow func() time.Time
	// UserAge is how long users count as they were read; 0 reads them for each request.
	UserAge time.Duration
}

// Desk identifies the senders of requests. It is safe for concurrent use.
type Desk struct {
	cfg      Config
	store    *sitedb.DB
	logger   *slog.Logger
	users    *userCache
	throttle *throttle
	// useNotRecorded: the database refuses to note the use of application passwords.
	useNotRecorded atomic.Bool
	// background runs what must not hold up an answer.
	background sync.WaitGroup
}

// NewDesk returns a Desk, which has to be closed.
func NewDesk(cfg Config, o Options) *Desk {
	return &Desk{
		cfg: cfg, store: o.Store, logger: o.Logger,
		users:    &userCache{now: o.RealNow, maxAge: o.UserAge},
		throttle: &throttle{now: o.RealNow, free: cfg.FreeFailures},
	}
}

// Close waits for work that requests have left behind.
func (d *Desk) Close() { d.background.Wait() }

// Scheme tells how a client was recognised; it is a metric label.
type Scheme string

// The schemes.
const (
	None   Scheme = "none"
	Basic  Scheme = "basic"
	Cookie Scheme = "cookie"
)

// Identity is who sends a request, as far as its credentials tell.
type Identity struct {
	User *wpcap.User
	// Scheme is how the user was found, or looked for in vain.
	Scheme Scheme
	// Credentials were sent, good or bad.
	Credentials bool
	// CookieUser: a valid login cookie was sent, with a nonce good or bad.
	CookieUser bool
	// FreshNonce is sent back when one was accepted, "" otherwise.
	FreshNonce string
	// PostPassCookie is the cookie that unlocks posts with a password.
	PostPassCookie string
	// SetCookie is a cookie that the answer sets, "" for none.
	SetCookie string
}

// Nobody is the identity of a request without credentials.
func Nobody() Identity { return Identity{User: wpcap.Anonymous(), Scheme: None} }

// Anonymous says that nothing of the identity decides an answer.
func (id *Identity) Anonymous() bool {
	return id.User.ID == 0 && id.Scheme == None && !id.CookieUser && id.FreshNonce == ""
}
