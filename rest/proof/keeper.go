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

// Keeper saves what a prover has proved. It is safe for concurrent use.
type Keeper struct {
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
func Open(c StoreConfig, p *Prover) (*Keeper, error) {
	folder, err := statedir.Open(c.Dir, lockName)
	if err != nil {
		return nil, err
	}
	c.Every = cmp.Or(c.Every, 10*time.Second)
	k := &Keeper{cfg: c, prover: p, folder: folder}
	var before Kept
	k.written, err = folder.Read(fileName, maxFile)
	if err == nil {
		before, err = decode(c.Site, k.written)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		c.Logger.Info("the saved proofs can't be used; all proofs start over", "file", folder.Path(fileName), "why", err)
		if err := folder.Remove(fileName); err != nil {
			return nil, errors.Join(fmt.Errorf("remove %s: %w", folder.Path(fileName), err), folder.Close())
		}
	}
	if err != nil {
		k.written = nil
	}
	ctx, stop := context.WithCancel(context.Background())
	k.stop = stop
	c.Guard.Loop(ctx, &k.work, "keeping proofs", func(ctx context.Context) { k.run(ctx, before) })
	return k, nil
}

// run takes up what was kept, and then writes what changes.
func (k *Keeper) run(ctx context.Context, before Kept) {
	if !k.restore(ctx, before) {
		return
	}
	k.save() // what a predecessor had proved
	tick := time.NewTicker(k.cfg.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			k.save()
		}
	}
}

// restore returns false if ctx has ended before it is done.
func (k *Keeper) restore(ctx context.Context, before Kept) bool {
	within, cancel := context.WithTimeout(ctx, restoreTimeout)
	defer cancel()
	useless := false
	if len(before.Shapes) > 0 {
		n, changed, err := Restore(within, k.prover, before)
		useless = err != nil || len(changed) > 0
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
			k.cfg.Logger.Warn("the site's facts can't be read; all proofs start over", "err", err)
		case len(changed) > 0:
			k.cfg.Logger.Info("the site has changed since the last proofs; all proofs start over", "facts", strings.Join(changed, " "))
		default:
			k.cfg.Logger.Info("the saved proofs count again after one more identical response each", "shapes", n)
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.restored = true
	if useless {
		k.remove()
	}
	return true
}

// save writes the file if its content is out of date. The prover is read without the lock, because
// it calls Ended while it changes.
func (k *Keeper) save() {
	k.saving.Lock()
	defer k.saving.Unlock()
	k.mu.Lock()
	endings, restored := k.endings, k.restored
	k.mu.Unlock()
	now, ok := Keep(k.prover)
	k.mu.Lock()
	defer k.mu.Unlock()
	if !ok || !restored || k.endings != endings { // what now says may have ended
		return
	}
	if len(now.Shapes) == 0 {
		k.remove()
		return
	}
	data, err := encode(k.cfg.Site, now)
	switch {
	case err != nil:
	case bytes.Equal(data, k.written):
		return
	case len(data) > maxFile:
		err = fmt.Errorf("more than %d bytes", maxFile)
		k.remove()
	default:
		if err = k.folder.Replace(fileName, data); err != nil {
			data = []byte{} // it is not known what there is
		}
		k.written = data
	}
	k.note(err)
}

// Ended reports what has ended proofs. It removes the file if those are kept; they must have ended
// in the prover already.
func (k *Keeper) Ended(why Ending) {
	if why == EndTable || why == EndContradiction { // of objects
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.endings++
	if !k.closed {
		k.remove()
	}
}

// remove removes the file, if there is one; save writes it again.
func (k *Keeper) remove() {
	if k.written == nil {
		return
	}
	err := k.folder.Remove(fileName)
	if err == nil {
		k.written = nil
	}
	k.note(err)
}

// note logs an error once.
func (k *Keeper) note(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if text != "" && text != k.failed {
		k.cfg.Logger.Error("proofs can't be kept: make --state-dir writable, and delete what is in it before the next start", "err", err)
	}
	k.failed = text
}

// Close writes what is proved, and lets others use the folder.
func (k *Keeper) Close() error { return k.close(k.save) }

// Leave removes the file, and lets others use the folder, because a successor of the prover keeps
// the proofs.
func (k *Keeper) Leave() error {
	return k.close(func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.remove()
	})
}

func (k *Keeper) close(last func()) error {
	k.stop()
	k.work.Wait()
	last()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	return k.folder.Close()
}
