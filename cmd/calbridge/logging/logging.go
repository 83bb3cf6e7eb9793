// Package logging writes the program's log.
//
//   - logging.go: the logger, ids of requests, and access lines
//   - buffer.go: the buffer of access lines
//
// It turns observations of requests into log lines. The package imports only rest/api, and must
// not import settings.
package logging

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"calbridge/rest/api"
)

// Config defines how the log is written.
type Config struct {
	Format string // text or json
	Level  string // debug, info, warn or error
}

// New returns a logger that writes to w. Access log lines are buffered; flush writes them at
// the end.
func New(w io.Writer, c Config) (logger *slog.Logger, flush func()) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Level)); err != nil {
		level = slog.LevelInfo
	}
	options := &slog.HandlerOptions{Level: level}
	buffer := &logBuffer{to: w}
	var handler slog.Handler = slog.NewTextHandler(buffer, options)
	if c.Format == "json" {
		handler = slog.NewJSONHandler(buffer, options)
	}
	return slog.New(promptHandler{handler, buffer}), buffer.flush
}

// requestMark identifies a request in the log.
type requestMark struct{ id, trace string }

type requestMarkKey struct{}

// Mark gives each request an id and stores the trace id of its traceparent header (W3C Trace
// Context).
func Mark(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mark := requestMark{id: newRequestID(), trace: traceID(r.Header.Get("Traceparent"))}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestMarkKey{}, mark)))
	})
}

// RequestID returns the id of a request, or "" if it has none.
func RequestID(ctx context.Context) string {
	mark, _ := ctx.Value(requestMarkKey{}).(requestMark)
	return mark.id
}

func newRequestID() string {
	var id [8]byte
	binary.BigEndian.PutUint64(id[:], rand.Uint64())
	return hex.EncodeToString(id[:])
}

// traceID returns the trace id of a traceparent header, or "" if it is malformed. The header
// consists of a version, 32 hexadecimal digits, 16 more, and flags.
func traceID(header string) string {
	if header == "" {
		return ""
	}
	parts := strings.Split(header, "-")
	if len(parts) < 4 || len(parts[0]) != 2 || len(parts[1]) != 32 || len(parts[2]) != 16 || len(parts[3]) != 2 {
		return ""
	}
	for _, part := range parts[:4] {
		if strings.Trim(part, "0123456789abcdef") != "" {
			return ""
		}
	}
	if strings.Trim(parts[1], "0") == "" {
		return ""
	}
	return parts[1]
}

// maxLoggedPath limits how much of a path is logged, in bytes.
const maxLoggedPath = 512

// Path returns a path in a form that is safe for the log.
func Path(path string) string {
	if len(path) > maxLoggedPath {
		path = path[:maxLoggedPath] + "…"
	}
	return strings.ToValidUTF8(path, "\uFFFD")
}

// Access writes the access log line of a request. It leaves out the query and the headers,
// which may hold secrets.
func Access(logger *slog.Logger, o *api.Observation) {
	level := slog.LevelInfo
	switch {
	case o.Status == http.StatusNotImplemented: // a setting is missing, and nothing has failed
		level = slog.LevelWarn
	case o.Status >= http.StatusInternalServerError:
		level = slog.LevelError
	}
	if !logger.Enabled(o.Context, level) {
		return
	}
	attrs := append(make([]slog.Attr, 0, 16),
		slog.String("method", o.Method), slog.String("path", Path(o.Path)), slog.String("route", o.Route),
		slog.Int("status", o.Status), slog.Int("bytes", o.Bytes), slog.Float64("ms", float64(o.Took.Microseconds())/1000),
		slog.Int("queries", o.Queries),
	)
	mark, _ := o.Context.Value(requestMarkKey{}).(requestMark)
	add := func(key, value, none string) {
		if value != "" && value != none {
			attrs = append(attrs, slog.String(key, value))
		}
	}
	add("id", mark.id, "")
	add("trace", mark.trace, "")
	add("cache", string(o.Cache), string(api.CacheOff))
	add("language", o.Language, "")
	if o.UserID != 0 {
		attrs = append(attrs, slog.Int64("user", o.UserID))
	}
	add("auth", o.Auth, "none")
	add("code", o.Code, "")
	if o.Err != nil {
		add("err", o.Err.Error(), "")
	}
	// The record has no source position, which would cost more than the rest and is always the
	// same.
	r := slog.NewRecord(time.Now(), level, accessMessage, 0)
	r.AddAttrs(attrs...)
	_ = logger.Handler().Handle(o.Context, r)
}
