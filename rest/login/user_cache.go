package login

import (
	"context"
	"time"

	"github.com/maypok86/otter/v2"

	"calbridge/wpstore"
)

// userCache saves the query of clients that send credentials with every request. What
// WordPress changes of a user (role, password, sessions) takes effect when the entry
// expires, what this server changes at once, by forget.
type userCache struct {
	*otter.Cache[string, cachedUser] // nil: nothing is cached
}

type cachedUser struct {
	*wpstore.User           // nil: there is none
	read          time.Time // before the query
}

const (
	// maxUsers bounds the cache: clients choose the names.
	maxUsers = 1000
	// maxUserKey, in bytes, is longer than any stored login or address.
	maxUserKey = 500
)

func newUserCache(maxAge time.Duration) userCache {
	if maxAge <= 0 {
		return userCache{}
	}
	expiry := func(e otter.Entry[string, cachedUser]) time.Duration { return maxAge - time.Since(e.Value.read) }
	return userCache{otter.Must(&otter.Options[string, cachedUser]{MaximumSize: maxUsers, ExpiryCalculator: otter.ExpiryWritingFunc(expiry)})}
}

// get returns the cached user of a key, else what load returns.
func (c userCache) get(ctx context.Context, key string, load func(context.Context) (*wpstore.User, error)) (*wpstore.User, error) {
	if c.Cache == nil || len(key) > maxUserKey {
		return load(ctx)
	}
	if cached, ok := c.GetIfPresent(key); ok {
		return cached.User, nil
	}
	read := time.Now()
	user, err := load(ctx)
	if err == nil {
		c.Set(key, cachedUser{user, read})
	}
	return user, err
}

// forget removes a user, and all names without one.
func (c userCache) forget(id int64) {
	if c.Cache == nil {
		return
	}
	for key, cached := range c.All() {
		if cached.User == nil || cached.ID == id {
			c.Invalidate(key)
		}
	}
}

func (c userCache) close() {
	if c.Cache != nil {
		c.StopAllGoroutines()
	}
}
