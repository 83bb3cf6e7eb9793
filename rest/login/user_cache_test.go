package login

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

func TestUserCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newUserCache(invalidation.Aging{MaxAge: time.Second, Now: time.Now})
		defer c.close()
		loads, slow := 0, time.Duration(0)
		get := func(key string, user *wpstore.User) *wpstore.User {
			t.Helper()
			got, err := c.get(t.Context(), key, true, func(context.Context) (*wpstore.User, error) {
				loads++
				time.Sleep(slow)
				return user, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		want := func(what string, n int) {
			t.Helper()
			if loads != n {
				t.Errorf("%s: %d loads, want %d", what, loads, n)
			}
		}
		hana, ivo := &wpstore.User{ID: 1}, &wpstore.User{ID: 2}
		if get("hana", hana) != hana || get("hana", nil) != hana {
			t.Error("another user")
		}
		get("ivo", ivo)
		for range 2 {
			if get("none", nil) != nil {
				t.Error("a user that does not exist")
			}
		}
		want("cached", 3)
		c.forget(1)
		get("ivo", ivo)
		want("another one is forgotten", 3)
		get("hana", hana)
		get("none", nil)
		want("forgotten", 5)
		time.Sleep(999 * time.Millisecond)
		get("hana", hana)
		want("before the end", 5)
		time.Sleep(time.Millisecond)
		get("hana", hana)
		want("expired", 6)

		slow = 600 * time.Millisecond
		get("slow", ivo)
		slow = 0
		time.Sleep(400 * time.Millisecond)
		get("slow", ivo)
		want("a slow query counts from its beginning", 8)
		long := strings.Repeat("x", maxUserKey+1)
		get(long, nil)
		get(long, nil)
		want("too long", 10)
		for i := range 3 * maxUsers {
			get(strconv.Itoa(i), nil)
		}
		c.CleanUp()
		if n := c.EstimatedSize(); n > maxUsers {
			t.Errorf("%d users are cached", n)
		}
		broken := errors.New("no database")
		for range 2 {
			if _, err := c.get(t.Context(), "broken", true, func(context.Context) (*wpstore.User, error) { loads++; return nil, broken }); !errors.Is(err, broken) {
				t.Error(err)
			}
		}
		want("failures are not cached", 10+3*maxUsers+2)
	})
	off := newUserCache(invalidation.Aging{Now: time.Now})
	defer off.close()
	off.forget(1)
	if user, _ := off.get(t.Context(), "hana", true, func(context.Context) (*wpstore.User, error) { return &wpstore.User{ID: 3}, nil }); user.ID != 3 {
		t.Error("switched off")
	}
}

// TestUserCacheFollows checks that a complete tracker alone decides when a user is read again,
// and that no user comes from the cache while the tracker may lack changes.
func TestUserCacheFollows(t *testing.T) {
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	c := newUserCache(invalidation.Aging{Tracker: tracker, Complete: true, Now: time.Now})
	defer c.close()
	loads := 0
	get := func(key string, user *wpstore.User, caughtUp bool) {
		t.Helper()
		if _, err := c.get(t.Context(), key, caughtUp, func(context.Context) (*wpstore.User, error) { loads++; return user, nil }); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		name     string
		change   []invalidation.Tag
		caughtUp bool
		want     int // loads of both
	}{
		{"at first", nil, true, 2},
		{"nothing changed", nil, true, 0},
		{"another user changed", []invalidation.Tag{{Kind: invalidation.User, ID: 2}, {Kind: invalidation.Site}}, true, 0},
		{"the user changed", []invalidation.Tag{{Kind: invalidation.User, ID: 1}}, true, 1},
		{"a name changed", []invalidation.Tag{{Kind: invalidation.Users}}, true, 2},
		{"not proved", nil, false, 2},
	} {
		tracker.Invalidate(step.change...)
		loads = 0
		get("hana", &wpstore.User{ID: 1}, step.caughtUp)
		get("none", nil, step.caughtUp)
		if loads != step.want {
			t.Errorf("%s: %d loads, want %d", step.name, loads, step.want)
		}
	}
	tracker.Suspend()
	loads = 0
	get("hana", &wpstore.User{ID: 1}, true)
	if loads != 1 {
		t.Error("suspended: from memory, whatever its age")
	}
}
