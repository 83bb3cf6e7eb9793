package journal

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/statedir"
)

// Errors of a journal that can't answer.
var (
	// ErrNotReady says that the journal isn't up to date; trying again later helps.
	ErrNotReady = errors.New("the journal is not up to date")
	// ErrClosed is returned when the file can't be opened; the log has the cause.
	ErrClosed = errors.New("the journal cannot be opened")
)

// Site is the database that the journal is about. Its methods are safe for concurrent use.
type Site interface {
	// States reads what lists filter events by, on the primary.
	States() eventindex.Source
	// Exposures calls each with those of some posts that are there, of all but events and revisions
	// for nil.
	Exposures(ctx context.Context, ids []int64, each func(id int64, e wpstore.Exposure) error) error
	// TermTexts are texts by which categories and tags differ from what they were, by ids; all
	// of them for nil. Their counts are no part of it.
	TermTexts(ctx context.Context, ids []int64) (map[int64]string, error)
	// Settings is the same as long as the site's settings make the same of events.
	Settings(ctx context.Context) (string, error)
	// Made is the same as long as the site's tables are.
	Made(ctx context.Context) (string, error)
}

// Identity names the site that a file belongs to, and the way in which events are shown.
type Identity struct {
	// Site is the same as long as the same rows are in the same lists. It must not depend on the
	// program's version, or clients begin again after each update.
	Site string
	// Shows is the same as long as the program shows events in the same way. If it differs from
	// that of the last process, all events count as changed.
	Shows string
}

// Config is what a journal works with.
type Config struct {
	// Dir is the folder of the file, and Of what the file belongs to.
	Dir  string
	Of   Identity
	Site Site
	// CatchUp returns once all changes committed before the call have been reported.
	CatchUp func(context.Context) error
	// Keep is how long changes are kept, and Most how many; 0 is a default.
	Keep   time.Duration
	Most   int64
	Now    func() time.Time
	Logger *slog.Logger
	Guard  *guard.Guard
}

// task is what the guard calls the work of a Journal.
const task = "recording changes in the journal"

// Position is one in a journal: the changes up to a sequence number, as a run saw them.
type Position struct {
	Run string
	Seq int64
}

// Journal records what changes. It is safe for concurrent use.
type Journal struct {
	cfg   Config
	queue *queue
	stop  context.CancelFunc
	work  sync.WaitGroup

	// opened is closed once the first attempt to open the file has ended. users use it, and
	// keep it from being closed; nil while there is none.
	opened chan struct{}
	users  sync.RWMutex
	file   *file
	// failed is why the file can't be used while there is none; nil until that is known.
	failed error

	// seq is the last sequence number, reader how its states are read; nil until all are known.
	seq    atomic.Int64
	reader atomic.Pointer[eventindex.StateReader]
	keeper keeper
	recent recent
}

// Open opens the journal of a site and records what the change feed reports, until Close. While
// another Journal has the file, such as that of a site that is being replaced, it waits. The
// error says that the folder can't be used.
func Open(cfg Config) (*Journal, error) {
	folder, err := lockFolder(cfg.Dir)
	if err != nil && !errors.Is(err, statedir.ErrInUse) {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	j := &Journal{cfg: cfg, queue: newQueue(cfg.Now), stop: stop, opened: make(chan struct{})}
	cfg.Guard.Go(&j.work, task, func() {
		defer close(j.queue.ended)
		if j.open(ctx, folder) {
			cfg.Guard.Repeat(ctx, task, recorder{j}.run)
		}
	})
	return j, nil
}

// lockFolder locks a folder for one Journal: two that count for themselves would use the same
// numbers.
func lockFolder(dir string) (*statedir.Folder, error) { return statedir.Open(dir, "journal.lock") }

// lockPatience is how long the lock of the file may be another's before that is an error.
const lockPatience = 5 * time.Second

// reopenPause is the pause before the file is opened again that its folder has no room for.
const reopenPause = time.Second

// open opens the file in its folder, which is nil until it is locked. It returns false if it
// can't, or the context ends.
func (j *Journal) open(ctx context.Context, folder *statedir.Folder) bool {
	first := sync.OnceFunc(func() { close(j.opened) })
	defer first()
	fail := func(as, err error) {
		j.users.Lock()
		defer j.users.Unlock()
		if j.failed == nil {
			j.cfg.Logger.Warn("changes of events cannot be answered: make --state-dir writable, and let no other process use it", "error", err)
		}
		j.failed = as
	}
	for began := time.Now(); folder == nil; {
		pause := 20 * time.Millisecond
		if time.Since(began) > lockPatience {
			fail(ErrClosed, fmt.Errorf("%s is %w", j.cfg.Dir, statedir.ErrInUse))
			first()
			pause = time.Second
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
		var err error
		if folder, err = lockFolder(j.cfg.Dir); err != nil && !errors.Is(err, statedir.ErrInUse) {
			fail(ErrClosed, err)
			return false
		}
	}
	f, err := openFile(ctx, folder, j.cfg.Of, j.cfg.Now)
	for err != nil {
		if ctx.Err() != nil {
			return false
		}
		if err = inFolder(j.cfg.Dir, err); !errors.Is(err, ErrStateDir) {
			fail(ErrClosed, err)
			return false
		}
		fail(err, err)
		first()
		select {
		case <-ctx.Done():
			return false
		case <-time.After(reopenPause):
		}
		if folder, err = lockFolder(j.cfg.Dir); err == nil {
			f, err = openFile(ctx, folder, j.cfg.Of, j.cfg.Now)
		}
	}
	if f.replaced != nil {
		j.cfg.Logger.Warn("the journal of changes starts over; clients of events/changes and events/stream fetch their lists again", "file", f.path, "why", f.replaced)
	}
	j.keeper = keeper{total: f.total}
	j.seq.Store(f.seq)
	j.users.Lock()
	defer j.users.Unlock()
	j.file, j.failed = f, nil
	return true
}

// use returns the file, which stays open until done is called.
func (j *Journal) use() (f *file, done func(), err error) {
	j.users.RLock()
	switch {
	case j.file != nil:
		return j.file, j.users.RUnlock, nil
	case j.failed != nil:
		err = j.failed
	default:
		err = ErrNotReady
	}
	j.users.RUnlock()
	return nil, nil, err
}

// Close stops recording, and gives the file to the instance that waits for it.
func (j *Journal) Close() error {
	j.stop()
	j.work.Wait()
	j.users.Lock()
	defer j.users.Unlock()
	f := j.file
	if j.file = nil; f == nil {
		return nil
	}
	return f.close()
}

// Secret returns a secret that only the tokens of this file depend on: deleting the file makes
// another id and another secret.
func (j *Journal) Secret() (id string, secret []byte, err error) {
	f, done, err := j.use()
	if err != nil {
		return "", nil, err
	}
	defer done()
	return f.id, f.secret, nil
}

// Resume implements changefeed.Recorder. It waits until the file is open, or can't be opened.
func (j *Journal) Resume(ctx context.Context) []byte {
	select {
	case <-ctx.Done():
		return nil
	case <-j.opened:
	}
	f, done, err := j.use()
	if err != nil {
		return nil
	}
	defer done()
	return []byte(f.mark)
}

// Begin implements changefeed.Recorder.
func (j *Journal) Begin(missed bool, at encoding.TextMarshaler) { j.queue.begin(missed, at) }

// Record implements changefeed.Recorder.
func (j *Journal) Record(tags []invalidation.Tag, everything bool, at encoding.TextMarshaler) {
	j.queue.record(tags, everything, at)
}

// startPatience is how long a request waits for a journal that has just been opened.
const startPatience = 2 * time.Second

// started waits until the states are known, for a while. It doesn't wait while nothing can be
// recorded because of the state folder.
func (j *Journal) started(ctx context.Context) error {
	for began := time.Now(); ; {
		if err := j.queue.trouble(); err != nil {
			return err
		}
		if j.reader.Load() != nil {
			return nil
		}
		_, done, err := j.use()
		switch {
		case err == nil:
			done()
		case !errors.Is(err, ErrNotReady):
			return err
		}
		if time.Since(began) > startPatience {
			return ErrNotReady
		}
		select {
		case <-ctx.Done():
			return ErrNotReady
		case <-j.queue.ended:
			return ErrNotReady
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// CatchUp returns once all changes that were committed before the call are recorded, with the
// position up to which they are.
func (j *Journal) CatchUp(ctx context.Context) (Position, error) {
	if err := j.started(ctx); err != nil {
		return Position{}, err
	}
	if err := j.cfg.CatchUp(ctx); err != nil {
		return Position{}, errors.Join(ErrNotReady, err)
	}
	return j.Settle(ctx)
}

// Settle returns once all changes that were reported before the call are recorded.
func (j *Journal) Settle(ctx context.Context) (Position, error) {
	err := j.queue.wait(ctx)
	switch {
	case errors.Is(err, ErrStateDir):
		return Position{}, err
	case err != nil:
		return Position{}, errors.Join(ErrNotReady, err)
	}
	f, done, err := j.use()
	if err != nil {
		return Position{}, err
	}
	defer done()
	if j.reader.Load() == nil {
		return Position{}, ErrNotReady
	}
	return Position{f.run, j.seq.Load()}, nil
}

// Reader interprets states. It is nil while the journal isn't ready.
func (j *Journal) Reader() *eventindex.StateReader { return j.reader.Load() }

// Size returns how many bytes the journal takes.
func (j *Journal) Size() int64 {
	f, done, err := j.use()
	if err != nil {
		return 0
	}
	defer done()
	return f.size()
}
