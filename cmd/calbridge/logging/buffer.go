package logging

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// accessMessage is the message of access log lines.
const accessMessage = "request"

const (
	// logDelay is the longest time that an access log line stays in the buffer.
	logDelay = 50 * time.Millisecond
	// logBufferSize is the size at which the buffer is written at once, in bytes.
	logBufferSize = 32 << 10
)

// logBuffer collects lines. A cached response costs little more than one system call, and
// logging it should not cost a second one. It is safe for concurrent use.
type logBuffer struct {
	to io.Writer

	mu    sync.Mutex
	lines []byte
	timer *time.Timer // nil if the buffer is empty
}

// Write implements io.Writer. It never fails.
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

// flush writes the buffer.
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

// promptHandler delays only the access log lines of successful requests.
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
