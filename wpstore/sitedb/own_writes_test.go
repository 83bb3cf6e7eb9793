package sitedb_test

import (
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
	"calbridge/wpstore/sitedb"
)

func TestOwnWritesAreToldAtOnce(t *testing.T) {
	ledger := coherence.NewLedger()
	f := newSite(t, "sqlite", func(cfg *sitedb.Config) { cfg.Ledger = ledger })
	f.turnRow()
	ledger.Follow(true)
	since := ledger.Sequence()
	f.ok(write(t.Context(), f.Session, func(tx *sitedb.Tx) error {
		return tx.PostEditor.New(wpstore.Post{Type: wpstore.EventType, Title: "One", Status: "publish", Author: 1}).Save(t.Context())
	}))
	for _, test := range []struct {
		tag   coherence.Tag
		fresh bool
	}{
		{coherence.Tag{Kind: coherence.Post, ID: 1}, false},
		{coherence.Tag{Kind: coherence.Posts}, false},
		{coherence.Tag{Kind: coherence.Events}, false},
		{coherence.Tag{Kind: coherence.Post, ID: 2}, true},
		{coherence.Tag{Kind: coherence.Site}, true},
	} {
		if got := ledger.Fresh(since, []coherence.Tag{test.tag}); got != test.fresh {
			t.Errorf("%+v is fresh: %v", test.tag, got)
		}
	}
	since = ledger.Sequence()
	_ = write(t.Context(), f.Session, func(tx *sitedb.Tx) error {
		if err := tx.Calendar.MarkSaved(t.Context()); err != nil {
			return err
		}
		return wpstore.ErrTooLong // any refusal
	})
	if ledger.Sequence() != since {
		t.Error("told of what was not committed")
	}
}
