package sitedb

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/coherence"
)

const (
	// visiblePause is the first pause between two questions whether transactions are
	// visible; it doubles, up to longestVisiblePause. They mostly are at once; longer
	// waits are for replicas that confirm each transaction.
	visiblePause        = 50 * time.Microsecond
	longestVisiblePause = 5 * time.Millisecond
	// maxTaxonomies bounds what is remembered of terms.
	maxTaxonomies = 1 << 14
)

// apply tells the ledger of what is visible.
func (f *feed) apply(ctx context.Context, stream *binlog.Stream, at binlog.Position) error {
	target, place := stream.Start()
	missed := at == nil
	if missed {
		// What the server had written may not be visible yet, and is not going to be
		// heard.
		if err := f.visible(ctx, target, place); err != nil {
			return err
		}
		at = target
	}
	f.mu.Lock()
	f.move(at)
	f.mu.Unlock()
	following := false
	for {
		if !following && at.Contains(target) {
			following = true
			f.ledger.Follow(missed)
			if f.o.Following != nil {
				f.o.Following(true, nil)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.signal:
		}
		h := f.take()
		if h == nil {
			continue
		}
		if err := f.visible(ctx, h.gtid, h.end); err != nil {
			return err
		}
		if err := f.resolve(ctx, h); err != nil {
			return err
		}
		f.tell(h)
		at = at.Merge(h.gtid)
		f.mu.Lock()
		f.move(at)
		f.mu.Unlock()
		if f.o.Applied != nil {
			f.o.Applied(FeedApplied{Transactions: h.transactions, Delay: time.Since(h.arrived), Committed: h.committed})
		}
	}
}

// visible waits until everybody who asks now sees the transactions up to a place in
// the log (MariaDB) or with these GTIDs (MySQL). See package binlog for why these
// two prove it.
func (f *feed) visible(ctx context.Context, gtid binlog.Position, end binlog.Place) error {
	for pause := visiblePause; ; pause = min(2*pause, longestVisiblePause) {
		var done bool
		var err error
		if f.flavor == binlog.MariaDB {
			var shown binlog.Place
			shown, err = f.shown(ctx)
			done = !shown.Before(end)
		} else {
			var executed binlog.Position
			if executed, err = f.serverPosition(ctx); err == nil {
				done = executed.Contains(gtid)
			}
		}
		if err != nil || done {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// shown is the place in MariaDB's log up to which transactions are visible.
func (f *feed) shown(ctx context.Context) (binlog.Place, error) {
	var place binlog.Place
	err := f.query(ctx, "feed.visible", sq.Expr(`SHOW STATUS LIKE 'binlog\_snapshot\_%'`), func(rows *sql.Rows) error {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return err
		}
		if strings.EqualFold(name, "binlog_snapshot_file") {
			place.File = value
			return nil
		}
		n, err := strconv.ParseUint(value, 10, 64)
		place.Position = n
		return err
	})
	if err == nil && place.File == "" {
		err = fmt.Errorf("query feed.visible: the server does not tell which transactions are visible")
	}
	return place, err
}

// serverPosition is the last transaction that the server has written (MariaDB),
// which may not be visible yet, or are visible (MySQL).
func (f *feed) serverPosition(ctx context.Context) (binlog.Position, error) {
	var text string
	if err := f.query(ctx, "feed.position", sq.Select(f.positionVariable()), func(rows *sql.Rows) error { return rows.Scan(&text) }); err != nil {
		return nil, err
	}
	return binlog.ParsePosition(f.flavor, text)
}

func (f *feed) positionVariable() string {
	if f.flavor == binlog.MariaDB {
		return "@@global.gtid_binlog_pos"
	}
	return "@@global.gtid_executed"
}

// tell passes on what was heard.
func (f *feed) tell(h *heard) {
	if h.everything {
		f.ledger.Everything()
		return
	}
	f.ledger.Changed(f.db.withEvents(slices.Collect(maps.Keys(h.tags)))...)
}

// withEvents adds that lists of events changed when posts did, where nobody else
// tells it.
func (db *DB) withEvents(tags []coherence.Tag) []coherence.Tag {
	if db.index.Load() == nil && slices.Contains(tags, coherence.Tag{Kind: coherence.Posts}) {
		tags = append(tags, coherence.Tag{Kind: coherence.Events})
	}
	return tags
}

// termOf is a term in a taxonomy.
type termOf struct {
	term     int64
	taxonomy string
}

// resolve finds out what was heard of only by taxonomy ids, or may be a language.
// No query where the taxonomies are remembered.
func (f *feed) resolve(ctx context.Context, h *heard) error {
	if h.everything {
		clear(f.taxonomies)
		return nil
	}
	for id := range h.taxonomies {
		delete(f.taxonomies, id)
	}
	known, err := f.termsOf(ctx, h)
	if err != nil {
		return err
	}
	for r := range h.relations {
		switch t := known[r.taxonomy]; t.taxonomy {
		case termLanguageTaxonomy, termGroupTaxonomy:
			h.term(r.object)
		case postLanguageTaxonomy, postGroupTaxonomy:
			h.post(r.object)
			h.tag(coherence.Translations, 0)
		case "": // gone meanwhile
			h.post(r.object)
			h.term(r.object)
			h.tag(coherence.Translations, 0)
		default:
			h.post(r.object)
		}
	}
	for id := range h.elements {
		if t := known[id]; t.term != 0 {
			h.term(t.term)
		}
	}
	return f.resolveLanguages(ctx, h)
}

// termsOf looks taxonomy ids up. One query, none where all are remembered.
func (f *feed) termsOf(ctx context.Context, h *heard) (map[int64]termOf, error) {
	if len(f.taxonomies) > maxTaxonomies {
		clear(f.taxonomies)
	}
	var ids []int64
	ask := func(id int64) {
		if _, ok := f.taxonomies[id]; !ok {
			ids = append(ids, id)
		}
	}
	for r := range h.relations {
		ask(r.taxonomy)
	}
	for id := range h.elements {
		ask(id)
	}
	if len(ids) == 0 {
		return f.taxonomies, nil
	}
	query := sq.Select("term_taxonomy_id", "term_id", "taxonomy").From(f.db.table("term_taxonomy")).
		Where(idList("term_taxonomy_id", distinctIDs(ids)))
	return f.taxonomies, f.query(ctx, "feed.taxonomies", query, func(rows *sql.Rows) error {
		var id int64
		var t termOf
		if err := rows.Scan(&id, &t.term, &t.taxonomy); err != nil {
			return err
		}
		f.taxonomies[id] = t
		return nil
	})
}

// resolveLanguages looks whether changed terms are Polylang's languages. One query,
// none where no term's row changed.
func (f *feed) resolveLanguages(ctx context.Context, h *heard) error {
	if len(h.terms) == 0 {
		return nil
	}
	query := sq.Select("COUNT(*)").From(f.db.table("term_taxonomy")).
		Where(idList("term_id", slices.Collect(maps.Keys(h.terms)))).
		Where(sq.Eq{"taxonomy": []string{postLanguageTaxonomy, termLanguageTaxonomy}})
	return f.query(ctx, "feed.languages", query, func(rows *sql.Rows) error {
		var n int
		if err := rows.Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			h.tag(coherence.Site, 0)
		}
		return nil
	})
}
