package journal

import (
	"context"
	"database/sql"
	"encoding/base64"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/eventindex"
)

// rowsPerInsert is how many rows a statement inserts; SQLite takes 32,766 parameters.
const rowsPerInsert = 500

// readerText returns a reader as the file has it.
func readerText(r *eventindex.StateReader) string {
	code, _ := r.AppendBinary(nil) // never fails
	return base64.StdEncoding.EncodeToString(code)
}

// readerOf returns the opposite; nil if the text is none.
func readerOf(text string) *eventindex.StateReader {
	code, err := base64.StdEncoding.DecodeString(text)
	r := &eventindex.StateReader{}
	if text == "" || err != nil || r.UnmarshalBinary(code) != nil {
		return nil
	}
	return r
}

// load reads all states again, after changes that the journal doesn't have.
func (j recorder) load(ctx context.Context, f *file, r *report, reason string) error {
	j.reader.Store(nil)
	next := j.seq.Load() + 1
	// A process that ends meanwhile leaves a file that knows nothing.
	err := f.within(ctx, func(tx *sql.Tx) error {
		if err := setMeta(ctx, tx, metaReader, ""); err != nil {
			return err
		}
		return exec(ctx, tx, sq.Replace("breaks").Values(next, reason))
	})
	if err != nil {
		return err
	}
	from := j.cfg.Site.States()
	reader, err := eventindex.OpenStates(ctx, from)
	if err != nil {
		return err
	}
	made, err := j.cfg.Site.Made(ctx)
	if err != nil {
		return err
	}
	settings, err := j.cfg.Site.Settings(ctx)
	if err != nil {
		return err
	}
	texts, err := j.cfg.Site.TermTexts(ctx, nil)
	if err != nil {
		return err
	}
	err = f.within(ctx, func(tx *sql.Tx) error {
		for _, table := range []string{"states", "posts", "terms", "changes", "times", "shown"} {
			if err := exec(ctx, tx, sq.Delete(table)); err != nil {
				return err
			}
		}
		err := reader.All(ctx, from, func(states []eventindex.State) error { return putStates(ctx, tx, states) })
		if err != nil {
			return err
		}
		if err := loadPosts(ctx, tx, j.cfg.Site); err != nil {
			return err
		}
		if err := putTerms(ctx, tx, texts); err != nil {
			return err
		}
		mark, err := markOf(r)
		if err != nil {
			return err
		}
		for name, value := range map[string]string{metaReader: readerText(reader), metaMade: made, metaSet: settings, metaFloor: text(next), metaMark: mark, metaSeq: text(next)} {
			if err := setMeta(ctx, tx, name, value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	j.keeper.marked(r, j.cfg.Now())
	j.seq.Store(next)
	j.reader.Store(reader)
	return nil
}

func putStates(ctx context.Context, tx *sql.Tx, states []eventindex.State) error {
	for some := range slices.Chunk(states, rowsPerInsert) {
		insert := sq.Replace("states").Columns("id", "state")
		for i := range some {
			code, err := some[i].AppendBinary(nil)
			if err != nil {
				return err
			}
			insert = insert.Values(some[i].EventID(), code)
		}
		if err := exec(ctx, tx, insert); err != nil {
			return err
		}
	}
	return nil
}

func putTerms(ctx context.Context, tx *sql.Tx, texts map[int64]string) error {
	for some := range slices.Chunk(slices.Sorted(maps.Keys(texts)), rowsPerInsert) {
		insert := sq.Replace("terms").Columns("id", "texts")
		for _, id := range some {
			insert = insert.Values(id, texts[id])
		}
		if err := exec(ctx, tx, insert); err != nil {
			return err
		}
	}
	return nil
}
