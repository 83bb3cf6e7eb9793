package searchindex

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"calbridge/wpstore/guard"
)

const (
	// task is the guard's name for the work of an index.
	task = "loading the search index"
	// pause is the time between two rounds of work.
	pause = time.Second
	// loadBlock is the number of posts that are read at a time.
	loadBlock = 900
)

// background loads the index and reads changed posts again.
type background struct {
	*Index
	source     func() Source
	collations *Collations
	bytes      int64
	logger     *slog.Logger
	guard      *guard.Guard
	told       bool // why the index is off
}

// run works until the context ends.
func (b *background) run(ctx context.Context) {
	for warned := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
		}
		err := b.guard.Do(task, func() error { return b.work(ctx) })
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			level := slog.LevelWarn
			if warned { // in this outage
				level = slog.LevelDebug
			}
			b.logger.Log(ctx, level, "the search index is not up to date", "error", err)
			b.wakeUp()
		}
		warned = err != nil
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

func (b *background) work(ctx context.Context) error {
	b.mu.RLock()
	loaded, off, epoch := b.texts != nil, b.off, b.epoch
	b.mu.RUnlock()
	switch {
	case off:
		return nil
	case !loaded:
		return b.load(ctx, epoch)
	}
	return b.refresh(ctx, epoch)
}

// load reads everything, unless the index is off for these columns or that many posts.
func (b *background) load(ctx context.Context, epoch uint64) error {
	from := b.source()
	columns, err := from.Columns(ctx)
	if err != nil {
		return err
	}
	if len(columns) != 1 || !columns[0].comparable() {
		if len(columns) > 0 {
			b.tell("searches read all texts: give the texts of posts and postmeta one collation, such as utf8mb4_unicode_520_ci", "found", columns)
		}
		b.turnOff(epoch)
		return nil
	}
	ids, err := from.IDs(ctx)
	if err != nil {
		return err
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	posts := len(ids) + len(ids)/8 // with room for more
	rows := rowsFor(posts, b.bytes)
	if rows == 0 {
		b.tell("searches read all texts: --search-index-size is too small for this site", "bytes", b.bytes, "needed", leastBytes(posts))
		b.turnOff(epoch)
		return nil
	}
	t := &texts{matrix: newMatrix(rows, posts), ids: ids, loaded: len(ids), added: map[int64]int{}, odd: map[int64]bool{}}
	if t.classes, err = b.collations.read(ctx, from, columns[0]); err != nil {
		return err
	}
	if len(ids) > 0 {
		t.matrix.grow(len(ids) - 1)
	}
	for block := range slices.Chunk(ids, loadBlock) {
		if err := from.Texts(ctx, block, func(id int64, texts ...[]byte) { t.put(id, texts) }); err != nil {
			return err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.epoch == epoch {
		b.texts = t
	}
	b.wakeUp() // for what has changed meanwhile
	return nil
}

// tell logs once why the index is off.
func (b *background) tell(message string, details ...any) {
	if !b.told {
		b.logger.Info(message, details...)
	}
	b.told = true
}

// turnOff turns the index off until everything changes.
func (b *background) turnOff(epoch uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.epoch == epoch {
		b.off = true
		b.pending = map[int64]uint64{}
	}
}

// refresh reads the posts again that have changed.
func (b *background) refresh(ctx context.Context, epoch uint64) error {
	b.mu.RLock()
	changed := maps.Clone(b.pending)
	b.mu.RUnlock()
	from := b.source()
	for block := range slices.Chunk(slices.Sorted(maps.Keys(changed)), loadBlock) {
		read := map[int64][][]byte{}
		err := from.Texts(ctx, block, func(id int64, texts ...[]byte) {
			for _, text := range texts {
				read[id] = append(read[id], slices.Clone(text))
			}
		})
		if err != nil {
			return err
		}
		if !b.apply(epoch, block, changed, read) {
			return nil
		}
	}
	return nil
}

// apply replaces the texts of some posts. It reports whether the index still is that of an epoch.
func (b *background) apply(epoch uint64, ids []int64, changed map[int64]uint64, read map[int64][][]byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.epoch != epoch || b.texts == nil {
		return false
	}
	for _, id := range ids {
		b.texts.remove(id)
		if texts, found := read[id]; found {
			b.texts.put(id, texts)
		}
		if b.pending[id] == changed[id] {
			delete(b.pending, id)
		}
	}
	if b.texts.bytes() > b.bytes { // fewer rows are needed
		b.discard()
		return false
	}
	return true
}
