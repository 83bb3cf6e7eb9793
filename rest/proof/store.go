package proof

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"calbridge/wpstore/guard"
	"calbridge/wpstore/statedir"
)

const (
	fileName = "proofs"
	lockName = "proofs.lock"
	// maxFile bounds the file, in bytes.
	maxFile = 64 << 20
	// restoreTimeout bounds taking up what was kept.
	restoreTimeout = time.Minute
)

// Config names the folder in which proofs are stored.
type StoreConfig struct {
	// Dir is the folder, and Site identifies what is proved about; it has no spaces.
	Dir, Site string
	// Every is the time between two checks for something to write; 10 seconds if 0.
	Every  time.Duration
	Logger *slog.Logger
	Guard  *guard.Guard
}

// Store saves what a prover has proved. It is safe for concurrent use.
type Store struct {
	cfg    StoreConfig
	prover *Prover
	folder *statedir.Folder
	stop   context.CancelFunc
	work   sync.WaitGroup

	saving sync.Mutex
	mu     sync.Mutex
	// written is the content of the file; nil if there is none.
	written []byte
	// restored reports that the content of the file is restored, or can't be. closed reports that
	// others may use the folder.
	restored, closed bool
	endings          int    // that Ended was told of
	failed           string // the last error
}

// Open locks the folder, takes up what was kept there, and keeps what is proved from now on.
func Open(c StoreConfig, p *Prover) (*Store, error) {
	folder, err := statedir.Open(c.Dir, lockName)
	if err != nil {
		return nil, err
	}
	c.Every = cmp.Or(c.Every, 10*time.Second)
	s := &Store{cfg: c, prover: p, folder: folder}
	var before Saved
	s.written, err = folder.Read(fileName, maxFile)
	if err == nil {
		before, err = decode(c.Site, s.written)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.Logger.Info("the saved proofs can't be used; all proofs start over", "file", folder.Path(fileName), "why", err)
		if err := folder.Remove(fileName); err != nil {
			return nil, errors.Join(fmt.Errorf("remove %s: %w", folder.Path(fileName), err), folder.Close())
		}
	}
	if err != nil {
		s.written = nil
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	c.Guard.Loop(ctx, &s.work, "keeping proofs", func(ctx context.Context) { s.run(ctx, before) })
	return s, nil
}

// run takes up what was kept, and then writes what changes.
func (s *Store) run(ctx context.Context, before Saved) {
	if !s.restore(ctx, before) {
		return
	}
	s.save() // what a predecessor had proved
	tick := time.NewTicker(s.cfg.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.save()
		}
	}
}

// restore returns false if ctx has ended before it is done.
func (s *Store) restore(ctx context.Context, before Saved) bool {
	within, cancel := context.WithTimeout(ctx, restoreTimeout)
	defer cancel()
	useless := false
	if len(before.Shapes) > 0 {
		n, changed, err := Restore(within, s.prover, before)
		useless = err != nil || len(changed) > 0
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
			s.cfg.Logger.Warn("the site's facts can't be read; all proofs start over", "err", err)
		case len(changed) > 0:
			s.cfg.Logger.Info("the site has changed since the last proofs; all proofs start over", "facts", strings.Join(changed, " "))
		default:
			s.cfg.Logger.Info("the saved proofs count again after one more identical response each", "shapes", n)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restored = true
	if useless {
		s.remove()
	}
	return true
}

// save writes the file if its content is out of date. The prover is read without the lock, because
// it calls Ended while it changes.
func (s *Store) save() {
	s.saving.Lock()
	defer s.saving.Unlock()
	s.mu.Lock()
	endings, restored := s.endings, s.restored
	s.mu.Unlock()
	now, ok := Keep(s.prover)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !ok || !restored || s.endings != endings { // what now says may have ended
		return
	}
	if len(now.Shapes) == 0 {
		s.remove()
		return
	}
	data, err := encode(s.cfg.Site, now)
	switch {
	case err != nil:
	case bytes.Equal(data, s.written):
		return
	case len(data) > maxFile:
		err = fmt.Errorf("more than %d bytes", maxFile)
		s.remove()
	default:
		if err = s.folder.Replace(fileName, data); err != nil {
			data = []byte{} // it is not known what there is
		}
		s.written = data
	}
	s.note(err)
}

// Ended reports what has ended proofs. It removes the file if those are kept; they must have ended
// in the prover already.
func (s *Store) Ended(why Ending) {
	if why == EndTable || why == EndContradiction { // of objects
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endings++
	if !s.closed {
		s.remove()
	}
}

// remove removes the file, if there is one; save writes it again.
func (s *Store) remove() {
	if s.written == nil {
		return
	}
	err := s.folder.Remove(fileName)
	if err == nil {
		s.written = nil
	}
	s.note(err)
}

// note logs an error once.
func (s *Store) note(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != s.failed {
		s.cfg.Logger.Error("proofs can't be kept: make --state-dir writable, and delete what is in it before the next start", "err", err)
	}
	s.failed = text
}

// Close writes what is proved, and lets others use the folder.
func (s *Store) Close() error { return s.close(s.save) }

// Leave removes the file, and lets others use the folder, because a successor of the prover keeps
// the proofs.
func (s *Store) Leave() error {
	return s.close(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.remove()
	})
}

func (s *Store) close(last func()) error {
	s.stop()
	s.work.Wait()
	last()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.folder.Close()
}
