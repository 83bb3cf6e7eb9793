package sitedb_test

import (
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

func TestOwnWritesInvalidateAtOnce(t *testing.T) {
	tracker := invalidation.NewTracker()
	f := newSite(t, "sqlite", func(cfg *sitedb.Config) { cfg.Tracker = tracker })
	f.lockRows()
	tracker.Resume(true)
	since := tracker.Generation()
	f.OK(write(t.Context(), f.Session, func(tx *sitedb.Tx) error {
		return tx.PostEditor.Save(t.Context(), tx.PostEditor.New(wpstore.Post{Type: wpstore.EventType, Title: "One", Status: "publish", Author: 1}))
	}))
	for _, test := range []struct {
		tag   invalidation.Tag
		fresh bool
	}{
		{invalidation.Tag{Kind: invalidation.Post, ID: 1}, false},
		{invalidation.Tag{Kind: invalidation.Posts}, false},
		{invalidation.Tag{Kind: invalidation.Events}, false},
		{invalidation.Tag{Kind: invalidation.Post, ID: 2}, true},
		{invalidation.Tag{Kind: invalidation.Site}, true},
	} {
		if got := tracker.Fresh(since, []invalidation.Tag{test.tag}); got != test.fresh {
			t.Errorf("%+v is fresh: %v", test.tag, got)
		}
	}
	since = tracker.Generation()
	_ = write(t.Context(), f.Session, func(tx *sitedb.Tx) error {
		if err := tx.Calendar.MarkSaved(t.Context()); err != nil {
			return err
		}
		return wpstore.ErrTooLong // any refusal
	})
	if tracker.Generation() != since {
		t.Error("invalidated what was not committed")
	}
}
