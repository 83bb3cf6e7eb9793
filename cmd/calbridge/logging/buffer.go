package logging

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// accessMessage is the message of the access lines.
const accessMessage = "request"

const (
	// logDelay is how long an access line may wait for others to be written with.
	logDelay = 50 * time.Millisecond
	// logBufferSize, in bytes, is when they are written at once.
	logBufferSize = 32 << 10
)

// logBuffer gathers lines, so that not each answer from memory, which is little more
// than one system call, costs a second one. It is safe for concurrent use.
type logBuffer struct {
	to io.Writer

	mu    sync.Mutex
	lines []byte
	timer *time.Timer // nil while no line waits
}

// Write implements io.Writer. It never fails: there is nobody to report to.
func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, p...)
	switch {
	case len(b.lines) >= logBufferSize:
		b.write()
	case b.timer == nil:
		b.timer = time.AfterFunc(logDelay, b.flush)
	}
	return len(p), nil
}

// flush writes the lines that wait.
func (b *logBuffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.write()
}

func (b *logBuffer) write() {
	if b.timer != nil {
		b.timer.Stop()
		b.timer = nil
	}
	if len(b.lines) > 0 {
		_, _ = b.to.Write(b.lines)
		b.lines = b.lines[:0]
	}
}

// promptHandler lets only access lines of requests that went well wait.
type promptHandler struct {
	slog.Handler
	buffer *logBuffer
}

// Handle implements slog.Handler.
func (h promptHandler) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if r.Message != accessMessage || r.Level > slog.LevelInfo {
		h.buffer.flush()
	}
	return err
}

// WithAttrs implements slog.Handler.
func (h promptHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return promptHandler{h.Handler.WithAttrs(attrs), h.buffer}
}

// WithGroup implements slog.Handler.
func (h promptHandler) WithGroup(name string) slog.Handler {
	return promptHandler{h.Handler.WithGroup(name), h.buffer}
}
