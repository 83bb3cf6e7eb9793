package cachesync

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/notice"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

func openStore(t *testing.T) *sitedb.DB {
	t.Helper()
	store, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// TestChoose checks that the best possible mode is chosen, and that the log names the reason
// why a better one is not possible.
func TestChoose(t *testing.T) {
	store := openStore(t)
	for _, c := range []struct {
		mode         settings.CacheMode
		takesNotices bool
		want         settings.CacheMode
		logged       bool
	}{
		{settings.CacheAuto, false, settings.CacheOff, true},
		{settings.CacheAuto, true, settings.CacheNotices, true},
		{settings.CacheTimed, false, settings.CacheTimed, false},
		{settings.CacheOff, false, settings.CacheOff, false},
	} {
		var log bytes.Buffer
		if got := Choose(t.Context(), c.mode, store, c.takesNotices, time.Minute, slog.New(slog.NewTextHandler(&log, nil))); got != c.want || (log.Len() > 0) != c.logged {
			t.Errorf("%+v: %s, want %s; logged %q", c, got, c.want, &log)
		}
	}
}

// TestNoticesInvalidate checks that a notice invalidates exactly what it names.
func TestNoticesInvalidate(t *testing.T) {
	store := openStore(t)
	tag := func(kind invalidation.Kind, id int64) invalidation.Tag { return invalidation.Tag{Kind: kind, ID: id} }
	var known []invalidation.Tag
	for _, kind := range []invalidation.Kind{invalidation.Posts, invalidation.Events, invalidation.Terms, invalidation.Translations, invalidation.Users, invalidation.Site} {
		known = append(known, tag(kind, 0))
	}
	for _, kind := range []invalidation.Kind{invalidation.Post, invalidation.Term, invalidation.User} {
		known = append(known, tag(kind, 7), tag(kind, 8))
	}
	for name, c := range map[string]struct {
		notice notice.Notice
		want   []invalidation.Tag
	}{
		"nothing":                      {notice.Notice{}, nil},
		"a post":                       {notice.Notice{Posts: []int64{7}}, []invalidation.Tag{tag(invalidation.Post, 7), tag(invalidation.Posts, 0), tag(invalidation.Events, 0), tag(invalidation.Translations, 0)}},
		"a term":                       {notice.Notice{Terms: []int64{7}, Taxonomies: []string{"post_tag"}}, []invalidation.Tag{tag(invalidation.Term, 7), tag(invalidation.Terms, 0), tag(invalidation.Translations, 0)}},
		"a user":                       {notice.Notice{Users: []int64{8}}, []invalidation.Tag{tag(invalidation.User, 8), tag(invalidation.Users, 0)}},
		"options":                      {notice.Notice{Options: []string{"cron", "Posts_Per_Page "}}, []invalidation.Tag{tag(invalidation.Site, 0)}},
		"options that no answer shows": {notice.Notice{Options: []string{"cron", "a_plugin"}}, nil},
		"all":                          {notice.Notice{All: true}, known},
	} {
		s := &Sync{tracker: invalidation.NewTracker(), store: store}
		s.tracker.Resume(true)
		since := s.tracker.Generation()
		s.Invalidate(c.notice)
		for _, one := range known {
			if fresh := s.tracker.Fresh(since, []invalidation.Tag{one}); fresh == slices.Contains(c.want, one) {
				t.Errorf("%s: %v fresh: %v", name, one, fresh)
			}
		}
	}
	(*Sync)(nil).Invalidate(notice.Notice{All: true}) // nothing is cached
}

// TestTimedCacheForgets checks that nothing is served beyond the age that the setting allows.
func TestTimedCacheForgets(t *testing.T) {
	s := &Sync{tracker: invalidation.NewTracker()}
	s.tracker.Resume(true)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	made := s.tracker.Generation()
	go s.expire(ctx, 5*time.Millisecond)
	for deadline := time.Now().Add(2 * time.Minute); s.tracker.Fresh(made, nil); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}
