package main

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/rest/notice"
	"calbridge/wpstore/coherence"
	"calbridge/wpstore/sitedb"
)

// TestChooseCache: what is possible is done, and the log says what is not.
func TestChooseCache(t *testing.T) {
	store, err := sitedb.Open(t.Context(), sitedb.Config{DSN: "sqlite::memory:", TablePrefix: "wp_"})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, c := range []struct {
		settings settings
		want     cacheMode
		logged   bool
	}{
		{settings{cache: cacheAuto}, cacheOff, true},
		{settings{cache: cacheAuto, companionSecret: strings.Repeat("x", 32)}, cacheOff, true},
		{settings{cache: cacheAuto, companionSecret: strings.Repeat("x", 32), opsListen: "127.0.0.1:9464"}, cacheNotices, true},
		{settings{cache: cacheTimed}, cacheTimed, false},
		{settings{cache: cacheOff}, cacheOff, false},
	} {
		var log bytes.Buffer
		if got := c.settings.chooseCache(t.Context(), store, slog.New(slog.NewTextHandler(&log, nil))); got != c.want || (log.Len() > 0) != c.logged {
			t.Errorf("%+v: %s, want %s; logged %q", c.settings, got, c.want, &log)
		}
	}
}

// TestNoticesReachTheLedger: what the companion plugin names has changed, and no more.
func TestNoticesReachTheLedger(t *testing.T) {
	tag := func(kind coherence.Kind, id int64) coherence.Tag { return coherence.Tag{Kind: kind, ID: id} }
	var known []coherence.Tag
	for _, kind := range []coherence.Kind{coherence.Posts, coherence.Events, coherence.Terms, coherence.Translations, coherence.Site} {
		known = append(known, tag(kind, 0))
	}
	for _, kind := range []coherence.Kind{coherence.Post, coherence.Term, coherence.User} {
		known = append(known, tag(kind, 7), tag(kind, 8))
	}
	for name, c := range map[string]struct {
		notice notice.Notice
		want   []coherence.Tag
	}{
		"nothing": {notice.Notice{}, nil},
		"a post":  {notice.Notice{Posts: []int64{7}}, []coherence.Tag{tag(coherence.Post, 7), tag(coherence.Posts, 0), tag(coherence.Events, 0), tag(coherence.Translations, 0)}},
		"a term":  {notice.Notice{Terms: []int64{7}, Taxonomies: []string{"post_tag"}}, []coherence.Tag{tag(coherence.Term, 7), tag(coherence.Terms, 0), tag(coherence.Translations, 0)}},
		"a user":  {notice.Notice{Users: []int64{8}}, []coherence.Tag{tag(coherence.User, 8)}},
		"options": {notice.Notice{Options: []string{"posts_per_page"}}, []coherence.Tag{tag(coherence.Site, 0)}},
		"all":     {notice.Notice{All: true}, known},
	} {
		k := &keeper{ledger: coherence.NewLedger()}
		k.ledger.Follow(true)
		since := k.ledger.Sequence()
		k.heard(c.notice)
		for _, one := range known {
			if fresh := k.ledger.Fresh(since, []coherence.Tag{one}); fresh == slices.Contains(c.want, one) {
				t.Errorf("%s: %v fresh: %v", name, one, fresh)
			}
		}
	}
	(*keeper)(nil).heard(notice.Notice{All: true}) // nothing is kept
}

// TestTimedCacheForgets: nothing is older than the setting says.
func TestTimedCacheForgets(t *testing.T) {
	k := &keeper{ledger: coherence.NewLedger()}
	k.ledger.Follow(true)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	made := k.ledger.Sequence()
	go k.forget(ctx, 5*time.Millisecond)
	waitFor(t, func() bool { return !k.ledger.Fresh(made, nil) })
}

// TestNoticesAreTaken: the ops listener takes notices where there is a secret, from
// nobody who does not know it.
func TestNoticesAreTaken(t *testing.T) {
	file := sampleFile(t)
	for secret, want := range map[string]int{"": http.StatusNotFound, strings.Repeat("s", 40): http.StatusUnauthorized} {
		args := []string{"serve", "--dsn", "sqlite:" + file, "--cache", "notices"}
		if secret != "" {
			args = append(args, "--companion-secret", secret)
		}
		s := start(t, nil, args...)
		resp, err := http.Post(s.ops+noticesPath, "application/json", strings.NewReader(`{"posts":[1]}`))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("secret %q: %s", secret, resp.Status)
		}
	}
}
