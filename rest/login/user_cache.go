package login

import (
	"context"

	"github.com/maypok86/otter/v2"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// userCache saves a query for clients that send credentials with every request. It caches role,
// password, application passwords and sessions. Changes by WordPress take effect once the tracker
// has them, or else when the entry is too old. Changes by this server take effect at once, through
// forget.
type userCache struct {
	aging                            invalidation.Aging
	*otter.Cache[string, cachedUser] // nil: nothing is cached
}

type cachedUser struct {
	*wpstore.User // nil: there is none
	read          invalidation.Stamp
}

// tags returns the tags that the entry depends on. The user of a name depends on all users.
func (c cachedUser) tags() []invalidation.Tag {
	tags := []invalidation.Tag{{Kind: invalidation.Users}}
	if c.User != nil {
		tags = append(tags, invalidation.Tag{Kind: invalidation.User, ID: c.ID})
	}
	return tags
}

const (
	// maxUsers bounds the cache: clients choose the names.
	maxUsers = 1000
	// maxUserKey, in bytes, is longer than any stored login or address.
	maxUserKey = 500
)

func newUserCache(aging invalidation.Aging) userCache {
	if aging.MaxAge <= 0 && !aging.Complete {
		return userCache{}
	}
	return userCache{aging, otter.Must(&otter.Options[string, cachedUser]{MaximumSize: maxUsers})}
}

// get returns the cached user of a key, or else the result of load. caughtUp reports that the tracker
// has all changes that this request must see.
func (c userCache) get(ctx context.Context, key string, caughtUp bool, load func(context.Context) (*wpstore.User, error)) (*wpstore.User, error) {
	if c.Cache == nil || len(key) > maxUserKey {
		return load(ctx)
	}
	if cached, ok := c.GetIfPresent(key); ok && c.aging.State(cached.read, caughtUp, cached.tags()...) == invalidation.Current {
		return cached.User, nil
	}
	read := c.aging.Stamp()
	user, err := load(ctx)
	if err == nil {
		c.Set(key, cachedUser{user, read})
	}
	return user, err
}

// forget removes a user, and all cached names without a user.
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
