package login

import (
	"context"
	"sync"
	"time"

	"calbridge/wpstore"
)

// userCache keeps users as they were read for a short time, so that a client
// which logs in with every request does not cost a query each. What WordPress
// changes about a user (role, password, sessions) counts here after at most
// maxAge; what this server changes itself is forgotten at once by forget.
type userCache struct {
	now    func() time.Time // the real clock
	maxAge time.Duration    // 0 keeps nothing

	mu    sync.Mutex
	users map[string]cachedUser
}

type cachedUser struct {
	user *wpstore.User // nil: there is none
	read time.Time
}

// maxUsers bounds the cache, since the names come from clients.
const maxUsers = 1000

// maxUserKey, in bytes, is more than any stored login or address has.
const maxUserKey = 500

// get returns what load returns, or returned not long ago, for key.
func (uc *userCache) get(ctx context.Context, key string, load func(context.Context) (*wpstore.User, error)) (*wpstore.User, error) {
	if uc.maxAge <= 0 || len(key) > maxUserKey {
		return load(ctx)
	}
	uc.mu.Lock()
	cached, ok := uc.users[key]
	uc.mu.Unlock()
	if ok && uc.now().Sub(cached.read) < uc.maxAge {
		return cached.user, nil
	}
	read := uc.now()
	user, err := load(ctx)
	if err != nil {
		return nil, err
	}
	uc.mu.Lock()
	defer uc.mu.Unlock()
	if uc.users == nil || len(uc.users) >= maxUsers {
		uc.users = make(map[string]cachedUser)
	}
	uc.users[key] = cachedUser{user, read}
	return user, nil
}

// forget drops what is known of a user.
func (uc *userCache) forget(id int64) {
	uc.mu.Lock()
	defer uc.mu.Unlock()
	for key, cached := range uc.users {
		if cached.user == nil || cached.user.ID == id {
			delete(uc.users, key)
		}
	}
}
