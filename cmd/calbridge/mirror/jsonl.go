package mirror

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/Masterminds/squirrel"
)

// A linesFile is written at most once per exportGap. If that fails, it is tried again after
// exportRetry.
const (
	exportGap   = time.Second
	exportRetry = 10 * time.Second
)

// linesFile writes the copy to a file with one event per line, ordered by date.
type linesFile struct {
	path   string
	store  *store
	logger *slog.Logger
	due    chan struct{}
}

// openLines checks that the file can be written.
func openLines(path string, s *store, logger *slog.Logger) (*linesFile, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	probe, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	return &linesFile{path: path, store: s, logger: logger, due: make(chan struct{}, 1)}, errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// changed requests that the file is written soon.
func (l *linesFile) changed() {
	select {
	case l.due <- struct{}{}:
	default: // the file is already due
	}
}

// run writes the file whenever it is due until the context ends.
func (l *linesFile) run(ctx context.Context) {
	for {
		select {
		case <-l.due:
		case <-ctx.Done():
			return
		}
		wait := exportGap
		if err := l.write(ctx); err != nil {
			l.changed()
			wait = exportRetry
			if ctx.Err() == nil {
				l.logger.Error("--jsonl can't be written", "file", l.path, "error", err, "again", exportRetry)
			}
		}
		if !sleep(ctx, wait) {
			return
		}
	}
}

// flush writes the file if it is due. It is called at the end, after run.
func (l *linesFile) flush(ctx context.Context) error {
	select {
	case <-l.due:
		return l.write(ctx)
	default:
		return nil
	}
}

// write writes the copy to a new file next to the old one and renames it over the old one.
// Readers see either the complete old file or the complete new one. The new file gets the
// permissions of the old one.
func (l *linesFile) write(ctx context.Context) error {
	mode := os.FileMode(0o600)
	if info, err := os.Stat(l.path); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.OpenFile(l.path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = l.writeEvents(ctx, f)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), l.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func (l *linesFile) writeEvents(ctx context.Context, f *os.File) error {
	rows, err := squirrel.Select("json").From("events").OrderBy("start_date", "id").RunWith(l.store.db).QueryContext(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	out := bufio.NewWriter(f)
	for rows.Next() {
		var line []byte
		if err := rows.Scan(&line); err != nil {
			return err
		}
		_, _ = out.Write(append(line, '\n')) // Flush returns the error
	}
	return errors.Join(rows.Err(), out.Flush())
}
