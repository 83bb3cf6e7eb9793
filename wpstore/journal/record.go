package journal

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
)

const (
	// kindEvent is the kind of a change of an event, beside those of invalidation.
	kindEvent = 0
	// Reasons of breaks.
	ReasonGap  = "gap"
	ReasonSite = "site"
	// retryPause is the pause before a report is recorded again that could not be. After
	// panics it doubles up to maxRetryPause.
	retryPause    = 200 * time.Millisecond
	maxRetryPause = 5 * time.Second
)

// recorder is the part of a Journal that records. One goroutine has it, and nobody else writes
// what it writes.
type recorder struct{ *Journal }

// run records what is reported until the context ends.
func (j recorder) run(ctx context.Context) {
	for {
		r, err := j.queue.take(ctx)
		if err != nil {
			j.leave()
			return
		}
		pause := retryPause
		for warned := false; ; warned = true {
			if err = j.cfg.Guard.Do(task, func() error { return j.record(ctx, r) }); err == nil {
				break
			}
			if ctx.Err() != nil {
				return
			}
			if err = inFolder(j.cfg.Dir, err); errors.Is(err, ErrStateDir) {
				j.queue.stuck(err)
			}
			if !warned {
				j.cfg.Logger.Warn("the journal is not up to date", "error", err)
			}
			if damaged(err) {
				r.lost, r.missed = true, true
			}
			if errors.Is(err, guard.ErrPanic) { // perhaps at what was reported
				r.missed, pause = true, min(2*pause, maxRetryPause)
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
		}
		j.queue.recorded(r)
		if now := j.cfg.Now(); now.Sub(j.keeper.pruned) >= pruneEvery {
			j.keeper.pruned = now
			if err := j.cfg.Guard.Do(task, func() error { return j.prune(ctx, now) }); err != nil && ctx.Err() == nil {
				j.cfg.Logger.Warn("old changes could not be removed from the journal", "error", err)
			}
		}
	}
}

// record records a report.
func (j recorder) record(ctx context.Context, r *report) error {
	if j.file.gone() {
		r.lost, r.missed = true, true
	}
	if r.lost {
		if err := j.again(ctx); err != nil {
			return err
		}
		r.lost = false
	}
	f := j.file // closed by nobody else while this runs
	switch {
	case r.missed:
		return j.load(ctx, f, r, ReasonGap)
	case r.everything:
		return j.load(ctx, f, r, ReasonSite)
	}
	site := r.tags[invalidation.Tag{Kind: invalidation.Site}]
	reader := j.reader.Load()
	if reader == nil || site {
		var err error
		if reader, err = j.resume(ctx, f, reader); err != nil {
			return err
		}
		if reader == nil {
			return j.load(ctx, f, r, ReasonSite)
		}
	}
	if len(r.tags) > 0 {
		return j.append(ctx, f, r, reader, site)
	}
	j.reader.Store(reader)
	return j.keeper.mark(ctx, f, r, j.cfg.Now())
}

// again replaces the file.
func (j recorder) again(ctx context.Context) error {
	j.users.Lock()
	defer j.users.Unlock()
	j.reader.Store(nil)
	if err := j.file.again(ctx); err != nil {
		return err
	}
	j.seq.Store(0)
	j.keeper = keeper{pruned: j.keeper.pruned}
	return nil
}

// leave notes where the log was left, so that the next process needn't read it again.
func (j recorder) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := j.keeper.flush(ctx, j.file); err != nil {
		j.cfg.Logger.Warn("the journal could not note its position in the binary log", "error", err)
	}
}

// resume returns the reader of the states in the file; nil if they don't mean the same on the
// site any more.
func (j recorder) resume(ctx context.Context, f *file, reader *eventindex.StateReader) (*eventindex.StateReader, error) {
	if reader == nil {
		code, err := f.get(ctx, f.db, metaReader)
		if err != nil {
			return nil, err
		}
		if reader = readerOf(code); reader == nil {
			return nil, nil
		}
	}
	current, err := reader.Current(ctx, j.cfg.Site.States())
	if err != nil || !current {
		return nil, err
	}
	made, err := j.cfg.Site.Made(ctx)
	if err != nil {
		return nil, err
	}
	was, err := f.get(ctx, f.db, metaMade)
	if err != nil || was != made {
		return nil, err
	}
	return reader, nil
}

// append records the tags of a report under the next sequence number.
func (j recorder) append(ctx context.Context, f *file, r *report, reader *eventindex.StateReader, site bool) error {
	var posts, terms []int64
	for tag := range r.tags {
		switch tag.Kind {
		case invalidation.Post:
			posts = append(posts, tag.ID)
		case invalidation.Term:
			terms = append(terms, tag.ID)
		}
	}
	from := j.cfg.Site.States()
	texts := map[int64]string{}
	now := reader
	if len(terms) > 0 {
		var also []int64
		var err error
		if now, also, err = reader.Reread(ctx, from, terms); err != nil {
			return err
		}
		posts = append(posts, also...)
		if texts, err = j.cfg.Site.TermTexts(ctx, terms); err != nil {
			return err
		}
	}
	slices.Sort(posts)
	posts = slices.Compact(posts)
	states, err := now.Read(ctx, from, posts)
	if err != nil {
		return err
	}
	exposures := map[int64]wpstore.Exposure{}
	if len(posts) > 0 {
		err := j.cfg.Site.Exposures(ctx, posts, func(id int64, e wpstore.Exposure) error {
			exposures[id] = e
			return nil
		})
		if err != nil {
			return err
		}
	}
	settings := ""
	if site {
		if settings, err = j.cfg.Site.Settings(ctx); err != nil {
			return err
		}
	}
	next := j.seq.Load() + 1
	total := j.keeper.total
	err = f.within(ctx, func(tx *sql.Tx) error {
		w := writer{tx: tx, seq: next}
		if err := w.posts(ctx, posts, states); err != nil {
			return err
		}
		if err := w.others(ctx, posts, states, exposures); err != nil {
			return err
		}
		if err := w.terms(ctx, terms, texts); err != nil {
			return err
		}
		for tag := range r.tags {
			if tag.Kind != invalidation.Post && tag.Kind != invalidation.Term {
				w.add(int64(tag.Kind), tag.ID, nil)
			}
		}
		total += int64(len(w.rows))
		if err := w.flush(ctx, j.cfg.Now(), total); err != nil {
			return err
		}
		if site {
			if err := breakAfter(ctx, f, tx, next, settings); err != nil {
				return err
			}
		}
		if now != reader {
			if err := setMeta(ctx, tx, metaReader, readerText(now)); err != nil {
				return err
			}
		}
		mark, err := markOf(r)
		if err == nil && mark != "" {
			err = setMeta(ctx, tx, metaMark, mark)
		}
		if err != nil {
			return err
		}
		return setMeta(ctx, tx, metaSeq, text(next))
	})
	if err != nil {
		return err
	}
	j.keeper.total = total
	j.keeper.marked(r, j.cfg.Now())
	j.seq.Store(next)
	j.reader.Store(now)
	return nil
}

// breakAfter records a break if the site's settings differ from those of before.
func breakAfter(ctx context.Context, f *file, tx *sql.Tx, seq int64, settings string) error {
	was, err := f.get(ctx, tx, metaSet)
	if err != nil || was == settings {
		return err
	}
	if err := exec(ctx, tx, sq.Replace("breaks").Values(seq, ReasonSite)); err != nil {
		return err
	}
	return setMeta(ctx, tx, metaSet, settings)
}

// writer collects the changes of a sequence number.
type writer struct {
	tx   *sql.Tx
	seq  int64
	rows [][]any
}

func (w *writer) add(kind, id int64, before []byte) {
	w.rows = append(w.rows, []any{w.seq, kind, id, before})
}

// posts replaces the states of those that are events, and adds what they were before.
func (w *writer) posts(ctx context.Context, ids []int64, states []eventindex.State) error {
	before := map[int64][]byte{}
	for some := range slices.Chunk(ids, rowsPerInsert) {
		err := each(ctx, w.tx, sq.Select("id", "state").From("states").Where(sq.Eq{"id": some}), func(rows *sql.Rows) error {
			var id int64
			var state []byte
			err := rows.Scan(&id, &state)
			before[id] = state
			return err
		})
		if err != nil {
			return err
		}
	}
	events := map[int64]bool{}
	for i := range states {
		events[states[i].EventID()] = true
	}
	var gone []int64
	for _, id := range ids {
		was, known := before[id]
		switch {
		case !known && !events[id]:
			continue
		case !events[id]:
			gone = append(gone, id)
		}
		w.add(kindEvent, id, was)
	}
	for some := range slices.Chunk(gone, rowsPerInsert) {
		if err := exec(ctx, w.tx, sq.Delete("states").Where(sq.Eq{"id": some})); err != nil {
			return err
		}
	}
	return putStates(ctx, w.tx, states)
}

// terms adds those of the terms whose texts differ.
func (w *writer) terms(ctx context.Context, ids []int64, texts map[int64]string) error {
	before := map[int64]string{}
	for some := range slices.Chunk(ids, rowsPerInsert) {
		err := each(ctx, w.tx, sq.Select("id", "texts").From("terms").Where(sq.Eq{"id": some}), func(rows *sql.Rows) error {
			var id int64
			var text string
			err := rows.Scan(&id, &text)
			before[id] = text
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, id := range ids {
		if was, known := before[id]; !known || was != texts[id] {
			w.add(int64(invalidation.Term), id, nil)
		}
	}
	return putTerms(ctx, w.tx, texts)
}

// flush writes the changes.
func (w *writer) flush(ctx context.Context, now time.Time, total int64) error {
	for some := range slices.Chunk(w.rows, rowsPerInsert) {
		insert := sq.Insert("changes").Columns("seq", "kind", "id", "before")
		for _, row := range some {
			insert = insert.Values(row...)
		}
		if err := exec(ctx, w.tx, insert); err != nil {
			return err
		}
	}
	return exec(ctx, w.tx, sq.Insert("times").Values(w.seq, now.Unix(), total))
}

func text(n int64) string { return strconv.FormatInt(n, 10) }

func sortedKeys(m map[int64]bool) []int64 { return slices.Sorted(maps.Keys(m)) }
