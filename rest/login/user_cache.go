package login

import (
	"context"

	"github.com/maypok86/otter/v2"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// userCache saves the query of clients that send credentials with every request: role,
// password, application passwords and sessions. What WordPress changes of a user takes
// effect once the tracker has the change, or else when the entry is too old; what this
// server changes at once, by forget.
type userCache struct {
	aging                            invalidation.Aging
	*otter.Cache[string, cachedUser] // nil: nothing is cached
}

type cachedUser struct {
	*wpstore.User // nil: there is none
	read          invalidation.Stamp
}

// tags returns what the entry depends on. Which user a name belongs to depends on all users.
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

// get returns the cached user of a key, else what load returns. proven says that the
// tracker has all changes that this request must see.
func (c userCache) get(ctx context.Context, key string, proven bool, load func(context.Context) (*wpstore.User, error)) (*wpstore.User, error) {
	if c.Cache == nil || len(key) > maxUserKey {
		return load(ctx)
	}
	if cached, ok := c.GetIfPresent(key); ok && c.aging.State(cached.read, proven, cached.tags()...) == invalidation.Current {
		return cached.User, nil
	}
	read := c.aging.Stamp()
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
