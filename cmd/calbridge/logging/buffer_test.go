package logging

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// lineCounter counts the lines and the writes that they arrive in.
type lineCounter struct {
	mu     sync.Mutex
	writes int
	text   strings.Builder
}

func (c *lineCounter) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes++
	return c.text.Write(p)
}

func (c *lineCounter) state() (writes, lines int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writes, strings.Count(c.text.String(), "\n")
}

// TestAccessLinesWait checks that access log lines are written together, soon, and before any
// other line.
func TestAccessLinesWait(t *testing.T) {
	out := &lineCounter{}
	logger, flush := New(out, Config{Level: "info", Format: "text"})
	for range 100 {
		logger.With("a", 1).WithGroup("g").Info(accessMessage)
	}
	logger.Warn("something else")
	if writes, lines := out.state(); lines != 101 || writes > 20 || !strings.HasSuffix(out.text.String(), "msg=\"something else\"\n") {
		t.Errorf("%d lines in %d writes", lines, writes)
	}
	logger.Info(accessMessage)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, lines := out.state(); lines == 102 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a line alone is never written")
		}
	}
	logger.Info(accessMessage)
	logger.Error(accessMessage) // a failed request
	if _, lines := out.state(); lines != 104 {
		t.Errorf("%d lines after an error", lines)
	}
	logger.Info(accessMessage)
	flush()
	if _, lines := out.state(); lines != 105 {
		t.Errorf("%d lines at the end", lines)
	}
	for range 1000 {
		logger.Info(accessMessage, "path", strings.Repeat("x", 100))
	}
	if writes, _ := out.state(); writes < 5 {
		t.Error("the buffer grows without bound")
	}
}
