package journal

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
)

// Reasons why a position can't be used, beside those of breaks.
const (
	ReasonExpired = "expired"
	ReasonMany    = "many"
)

// What a site without a journal lacks.
const (
	LacksStateDir  = "state-dir"
	LacksBinaryLog = "binary-log"
	LacksJournal   = "journal" // it can't be written
)

// Unusable explains why a position can't be used any more.
type Unusable string

func (u Unusable) Error() string { return "the position cannot be used: " + string(u) }

// Event is an event that has changed, with all states that it had from a position on. Before
// it existed, and once it is gone, it has none.
type Event struct {
	ID     int64
	States []eventindex.State
	// Existed reports whether the first of the states is that of the position itself; Gone that
	// it is not an event any more.
	Existed, Gone bool
}

// Changes are what has changed between two positions.
type Changes struct {
	Events []Event // by ascending ids
	Posts  []Post  // other posts
	Terms  []int64 // categories and tags and other terms
	// Tags are all that has changed, but posts.
	Tags []invalidation.Tag
}

// Post is another post that has changed, with all exposures that it had from a position on; nil
// while it was none.
type Post struct {
	ID        int64
	Exposures []*wpstore.Exposure
}

// Since returns what has changed after a position, up to a later sequence number. Its errors
// match [Unusable] where that isn't known, or where it is more than a number of rows. The
// changes belong to all who ask for them.
func (j *Journal) Since(ctx context.Context, p Position, upTo int64, most uint64) (*Changes, error) {
	f, done, err := j.use()
	if err != nil {
		return nil, err
	}
	defer done()
	// The sequence number is read before the states are: those may be later ones, as without
	// the cache.
	asked := question{f.run, j.seq.Load(), p, upTo, most}
	if c := j.recent.get(asked); c != nil {
		return c, nil
	}
	c, err := since(ctx, f, p, upTo, most)
	if err == nil {
		j.recent.put(asked, c)
	}
	return c, j.checked(err)
}

// checked returns an error that names the state folder if that is the cause. If the file is
// damaged, everything is recorded again.
func (j *Journal) checked(err error) error {
	if err != nil && j.queue.trouble() != nil {
		return errors.Join(j.queue.trouble(), err)
	}
	if damaged(err) {
		j.queue.recordAgain()
		return errors.Join(ErrNotReady, err)
	}
	return inFolder(j.cfg.Dir, err)
}

func since(ctx context.Context, f *file, p Position, upTo int64, most uint64) (*Changes, error) {
	c := &Changes{}
	tx, err := f.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	if err := usable(ctx, f, tx, p); err != nil {
		return nil, err
	}
	rows, n := map[int64]*Event{}, uint64(0)
	others := map[int64]*Post{}
	query := sq.Select("seq", "kind", "id", "before").From("changes").Where(sq.Gt{"seq": p.Seq}).Where(sq.LtOrEq{"seq": upTo}).OrderBy("seq").Limit(most + 1)
	seen := map[invalidation.Tag]bool{}
	err = each(ctx, tx, query, func(r *sql.Rows) error {
		var seq, kind, id int64
		var before []byte
		if err := r.Scan(&seq, &kind, &id, &before); err != nil {
			return err
		}
		n++
		tag := invalidation.Tag{Kind: invalidation.Kind(kind), ID: id}
		if tag.Kind == invalidation.Post {
			e, err := exposureOf(before)
			if others[id] == nil {
				others[id] = &Post{ID: id}
			}
			others[id].Exposures = append(others[id].Exposures, e)
			return err
		}
		if kind != kindEvent {
			if seen[tag] {
				return nil
			}
			seen[tag] = true
			c.Tags = append(c.Tags, tag)
			if tag.Kind == invalidation.Term {
				c.Terms = append(c.Terms, id)
			}
			return nil
		}
		e, known := rows[id]
		if !known {
			e = &Event{ID: id, Existed: before != nil, Gone: true}
			rows[id] = e
		}
		if before == nil {
			return nil
		}
		var s eventindex.State
		if err := s.UnmarshalBinary(before); err != nil {
			return err
		}
		e.States = append(e.States, s)
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case n > most:
		return nil, Unusable(ReasonMany)
	}
	ids := map[int64]bool{}
	for id := range rows {
		ids[id] = true
	}
	now, err := states(ctx, tx, sortedKeys(ids))
	if err != nil {
		return nil, err
	}
	for _, s := range now {
		e := rows[s.EventID()]
		e.States, e.Gone = append(e.States, s), false
	}
	for _, id := range sortedKeys(ids) {
		c.Events = append(c.Events, *rows[id])
	}
	exposures, err := exposuresIn(ctx, tx, slices.Sorted(maps.Keys(others)))
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(others)) {
		p := others[id]
		p.Exposures = append(p.Exposures, exposures[id])
		c.Posts = append(c.Posts, *p)
	}
	return c, nil
}

// usable reports whether all changes after a position are known.
func usable(ctx context.Context, f *file, tx *sql.Tx, p Position) error {
	var run int64
	err := sq.Select("number").From("runs").Where(sq.Eq{"run": p.Run}).RunWith(tx).QueryRowContext(ctx).Scan(&run)
	if errors.Is(err, sql.ErrNoRows) {
		return Unusable(ReasonGap)
	}
	if err != nil {
		return err
	}
	var next int64
	err = sq.Select("first").From("runs").Where(sq.Gt{"number": run}).OrderBy("number").Limit(1).RunWith(tx).QueryRowContext(ctx).Scan(&next)
	switch {
	case err == nil && p.Seq > next: // a power failure has taken it back
		return Unusable(ReasonGap)
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return err
	}
	var reason string
	err = sq.Select("reason").From("breaks").Where(sq.Gt{"seq": p.Seq}).OrderBy("seq").Limit(1).RunWith(tx).QueryRowContext(ctx).Scan(&reason)
	switch {
	case err == nil:
		return Unusable(reason)
	case !errors.Is(err, sql.ErrNoRows):
		return err
	}
	floor, err := f.get(ctx, tx, metaFloor)
	if err == nil && p.Seq < number(floor) {
		return Unusable(ReasonExpired)
	}
	return err
}

// Touched returns the events that have a change after a sequence number.
func (j *Journal) Touched(ctx context.Context, after int64) (map[int64]bool, error) {
	f, done, err := j.use()
	if err != nil {
		return nil, err
	}
	defer done()
	out := map[int64]bool{}
	query := sq.Select("DISTINCT id").From("changes").Where(sq.Gt{"seq": after}).Where(sq.Eq{"kind": kindEvent})
	err = each(ctx, f.db, query, func(r *sql.Rows) error {
		var id int64
		err := r.Scan(&id)
		out[id] = true
		return err
	})
	return out, j.checked(err)
}

// States returns those of some events now, by ascending ids.
func (j *Journal) States(ctx context.Context, ids []int64) ([]eventindex.State, error) {
	f, done, err := j.use()
	if err != nil {
		return nil, err
	}
	defer done()
	out, err := states(ctx, f.db, ids)
	return out, j.checked(err)
}

// After returns the states of the next events after an id, by ascending ids.
func (j *Journal) After(ctx context.Context, id int64, most uint64) (out []eventindex.State, err error) {
	f, done, err := j.use()
	if err != nil {
		return nil, err
	}
	defer done()
	query := sq.Select("state").From("states").Where(sq.Gt{"id": id}).OrderBy("id").Limit(most)
	err = each(ctx, f.db, query, addState(&out))
	return out, j.checked(err)
}

func states(ctx context.Context, db sq.BaseRunner, ids []int64) (out []eventindex.State, err error) {
	for len(ids) > 0 {
		n := min(len(ids), rowsPerInsert)
		query := sq.Select("state").From("states").Where(sq.Eq{"id": ids[:n]}).OrderBy("id")
		if err := each(ctx, db, query, addState(&out)); err != nil {
			return nil, err
		}
		ids = ids[n:]
	}
	return out, nil
}

func addState(to *[]eventindex.State) func(*sql.Rows) error {
	return func(r *sql.Rows) error {
		var code []byte
		if err := r.Scan(&code); err != nil {
			return err
		}
		var s eventindex.State
		err := s.UnmarshalBinary(code)
		*to = append(*to, s)
		return err
	}
}
