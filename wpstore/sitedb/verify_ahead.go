package sitedb

import (
	"context"
	"maps"
	"slices"
	"time"

	"calbridge/i18n"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// ManyPosts is the number of posts of a term from which on counting them is work to do ahead. Counting
// 170,000 posts takes 0.3 s of the database's CPU time, and other writes of the term wait for it.
const ManyPosts = 5000

const (
	// The pause between two rounds is at least verifyPause, and verifyShare times as long as the
	// last round took.
	verifyPause = time.Second
	verifyShare = 20
)

// VerifyAhead calls [DB.VerifyCounts] until ctx ends: when the binary log begins to be followed, and
// after another program's change has made the counts unknown, if this process has written meanwhile.
// Without it the first write of each term counts its posts under locks. The event index is loaded
// first: more requests need it.
func (db *DB) VerifyAhead(ctx context.Context, least int64) {
	if db.cfg.ReadOnly || db.Cluster() {
		return
	}
	pause := verifyPause
	for verified, written, first := uint64(0), uint64(0), true; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		following, epoch, commits := db.counts.Following()
		if !following || db.indexing() || !first && (epoch == verified || commits == written) {
			continue
		}
		began := time.Now()
		if err := db.VerifyCounts(ctx, least); err != nil {
			if ctx.Err() == nil {
				db.Logger().Debug("counts of terms were not verified; the next write of each term counts", "err", err)
			}
		} else {
			verified, written, first = epoch, commits, false
		}
		pause = max(verifyPause, verifyShare*time.Since(began))
	}
}

// indexing reports whether there is an event index that isn't loaded yet.
func (db *DB) indexing() bool {
	index := db.index.Load()
	return index != nil && !index.Loaded()
}

// VerifyCounts counts the posts of each term that has at least this many of them, without locks. If
// the stored count is right, the next write of the term adds to it instead of counting. If there is
// such a term, it also compares the range of all events, which the next write then need not read. It
// stops when another program's change makes the counts unknown.
func (db *DB) VerifyCounts(ctx context.Context, least int64) error {
	tx := db.begin(sqlconn.NewRunner(db.Servers, nil), Writing{}, false) // none begins: it only reads
	terms := rowedit.Terms{Rows: tx.rows}
	_, epoch, _ := db.counts.Following()
	large, err := terms.LargeTerms(ctx, least)
	if err != nil || len(large) == 0 {
		return err
	}
	facts, err := tx.Options.FactsWithoutCharsets(ctx)
	if err != nil {
		return err
	}
	if facts.Occurrences {
		if err := db.verifyRange(ctx, tx, epoch); err != nil {
			return err
		}
	}
	if i18n.DetectPlugin(facts.ActivePlugins) == i18n.WPML { // rowedit.NewKnown doesn't use counts
		return nil
	}
	known, _ := db.counts.Known(slices.Collect(maps.Keys(large)))
	for _, id := range slices.Sorted(maps.Keys(large)) {
		if len(known[id]) > 0 {
			continue
		}
		stored, right, err := terms.CountOf(ctx, large[id], id)
		if err != nil {
			return err
		}
		if right && !db.counts.Verified(map[int64]int64{id: stored}, epoch) {
			return nil
		}
	}
	return nil
}

// verifyRange compares the range of all events with their dates, unless it is known.
func (db *DB) verifyRange(ctx context.Context, tx *Tx, epoch uint64) error {
	if known, _ := db.counts.Range(""); known {
		return nil
	}
	stored, err := tx.Options.Options(ctx, []string{edit.RangeOption})
	if err != nil {
		return err
	}
	text := stored[edit.RangeOption]
	right, err := tx.Calendar.IsRange(ctx, text)
	if err == nil && right {
		db.counts.VerifiedRange(text, epoch)
	}
	return err
}
