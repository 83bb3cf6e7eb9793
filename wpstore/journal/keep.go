package journal

import (
	"cmp"
	"context"
	"database/sql"
	"encoding"
	"time"

	sq "github.com/Masterminds/squirrel"
)

const (
	// maxChanges bounds how many changes are kept, unless the configuration does.
	maxChanges = 2_000_000
	// pruneEvery is the time between two removals of old changes, and pruneBlock how many
	// sequence numbers one statement removes.
	pruneEvery = time.Minute
	pruneBlock = 1000
	// markEvery is how often it is noted how far the log was read, while nothing in it
	// concerns the journal.
	markEvery = 5 * time.Second
)

// keeper is what the goroutine that records knows of the file.
type keeper struct {
	total  int64 // changes recorded, in all
	pruned time.Time
	// last is where the log was read to, nil if the file has it, and noted when that was
	// noted last.
	last  encoding.TextMarshaler
	noted time.Time
}

// markOf returns the text of a report's mark, "" for none.
func markOf(r *report) (string, error) {
	if r.mark == nil {
		return "", nil
	}
	code, err := r.mark.MarshalText()
	return string(code), err
}

// marked says that the mark of a report is in the file.
func (k *keeper) marked(r *report, now time.Time) {
	if r.mark != nil {
		k.last, k.noted = nil, now
	}
}

// mark notes the mark of a report that has no changes, if the last note is old.
func (k *keeper) mark(ctx context.Context, f *file, r *report, now time.Time) error {
	if r.mark == nil {
		return nil
	}
	k.last = r.mark
	if now.Sub(k.noted) < markEvery {
		return nil
	}
	err := k.flush(ctx, f)
	if err == nil {
		k.noted = now
	}
	return err
}

// flush notes the mark.
func (k *keeper) flush(ctx context.Context, f *file) error {
	if k.last == nil {
		return nil
	}
	code, err := k.last.MarshalText()
	if err == nil && len(code) > 0 {
		err = f.within(ctx, func(tx *sql.Tx) error { return setMeta(ctx, tx, metaMark, string(code)) })
	}
	if err == nil {
		k.last = nil
	}
	return err
}

// prune removes changes that are too old, or too many: from the first ones on, so that it reads
// no more than it removes.
func (j recorder) prune(ctx context.Context, now time.Time) error {
	oldest, most := now.Add(-j.cfg.Keep).Unix(), cmp.Or(j.cfg.Most, maxChanges)
	for {
		var upTo, seen int64
		query := sq.Select("seq", "at", "total").From("times").OrderBy("seq").Limit(pruneBlock)
		err := each(ctx, j.file.db, query, func(rows *sql.Rows) error {
			var seq, at, total int64
			err := rows.Scan(&seq, &at, &total)
			if at < oldest || total <= j.keeper.total-most {
				upTo = seq
			}
			seen++
			return err
		})
		if err != nil || upTo == 0 {
			return err
		}
		if err := j.forget(ctx, upTo); err != nil || seen < pruneBlock {
			return err
		}
	}
}

// forget removes the changes up to a sequence number.
func (j recorder) forget(ctx context.Context, upTo int64) error {
	return j.file.within(ctx, func(tx *sql.Tx) error {
		for _, table := range []string{"changes", "times", "breaks"} {
			if err := exec(ctx, tx, sq.Delete(table).Where(sq.LtOrEq{"seq": upTo})); err != nil {
				return err
			}
		}
		floor, err := j.file.get(ctx, tx, metaFloor)
		if err != nil {
			return err
		}
		// Positions of a run are below the first of the next one.
		ended := sq.Delete("runs").Where("number < (SELECT COALESCE(MAX(number), 0) FROM runs WHERE first < ?)", upTo)
		if err := exec(ctx, tx, ended); err != nil {
			return err
		}
		return setMeta(ctx, tx, metaFloor, text(max(number(floor), upTo)))
	})
}
