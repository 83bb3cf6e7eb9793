package login

import (
	"log/slog"
	"sync"
	"sync/atomic"

	"calbridge/rest/wpauth"
	"calbridge/rest/wpcap"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
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
	// FreeFailures is the number of wrong credentials for a name that a client may send before it
	// is slowed down; 0 means unlimited.
	FreeFailures int
}

// Options are the other dependencies of an Authenticator.
type Options struct {
	// Store is where the use of passwords is recorded, after the response.
	Store  *sitedb.DB
	Logger *slog.Logger
	Guard  *guard.Guard
	// Aging limits how long users are cached. Its clock is the real one, not a replay's.
	Aging invalidation.Aging
}

// Authenticator authenticates requests. It is safe for concurrent use.
type Authenticator struct {
	cfg      Config
	store    *sitedb.DB
	logger   *slog.Logger
	guard    *guard.Guard
	users    userCache
	throttle *throttle
	checked  *checkedPasswords
	// useNotRecorded reports that the database refuses to record the use of application passwords.
	useNotRecorded atomic.Bool
	// background is work that must not delay a response.
	background sync.WaitGroup
}

// NewAuthenticator returns an Authenticator; the caller closes it.
func NewAuthenticator(cfg Config, o Options) *Authenticator {
	return &Authenticator{
		cfg: cfg, store: o.Store, logger: o.Logger, guard: o.Guard,
		users: newUserCache(o.Aging), throttle: newThrottle(o.Aging.Now, cfg.FreeFailures), checked: newCheckedPasswords(o.Aging.Now),
	}
}

// Close waits for background work.
func (d *Authenticator) Close() {
	d.background.Wait()
	d.users.close()
}

// Scheme is the way a client authenticates; it is a metric label.
type Scheme string

// The schemes.
const (
	None   Scheme = "none"
	Basic  Scheme = "basic"
	Cookie Scheme = "cookie"
)

// Identity is the sender of a request according to its credentials.
type Identity struct {
	User *wpcap.User
	// Scheme is set even if the credentials are wrong.
	Scheme Scheme
	// Credentials reports that credentials were sent, good or bad.
	Credentials bool
	// CookieUser reports that a valid login cookie was sent, with or without a valid nonce.
	CookieUser bool
	// FreshNonce is sent back if a nonce was accepted, else "".
	FreshNonce string
	// PostPassCookie is the cookie that unlocks posts with a password.
	PostPassCookie string
	// SetCookie is a cookie that the response sets, "" for none.
	SetCookie string
}

// Nobody returns the identity of a request without credentials.
func Nobody() Identity { return Identity{User: wpcap.Anonymous(), Scheme: None} }

// Anonymous reports whether the response doesn't depend on the identity.
func (id *Identity) Anonymous() bool {
	return id.User.ID == 0 && id.Scheme == None && !id.CookieUser && id.FreshNonce == ""
}
