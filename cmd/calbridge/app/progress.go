package app

import (
	"fmt"
	"io"
	"time"

	"calbridge/cmd/calbridge/cmdline"
)

// lineEvery is the time between two lines of progress without a terminal.
const lineEvery = 10 * time.Second

// progress shows how far a long task is: as a bar on a terminal, else as a line now and then.
type progress struct {
	*bar
	w           io.Writer
	what, unit  string
	now         func() time.Time
	began, last time.Time
}

// newProgress returns the progress of a task on standard error.
func newProgress(p *cmdline.Process, what, unit string) *progress {
	return &progress{bar: newCounter(p, what), w: p.Stderr, what: what, unit: unit, now: time.Now}
}

// set shows that so many are done, of a total that may grow.
func (p *progress) set(done, total int64) {
	p.bar.set(done, total)
	now := p.now()
	if p.began.IsZero() {
		p.began = now
	}
	if p.shown != nil || !p.last.IsZero() && now.Sub(p.last) < lineEvery {
		return
	}
	p.last = now
	left := ""
	if elapsed := now.Sub(p.began); done > 0 && done < total && elapsed >= time.Second {
		left = fmt.Sprintf(", about %s left", (elapsed / time.Duration(done) * time.Duration(total-done)).Round(time.Second))
	}
	fmt.Fprintf(p.w, "%s: %d of %d %s%s\n", p.what, done, total, p.unit, left)
}
