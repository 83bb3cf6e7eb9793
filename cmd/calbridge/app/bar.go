package app

import (
	"io"

	"github.com/schollz/progressbar/v3"

	"calbridge/cmd/calbridge/cmdline"
)

// bar shows the progress of a command on its standard error, if that is a terminal.
type bar struct{ shown *progressbar.ProgressBar }

// newBar returns a bar of things that are counted. More options may say what they are.
func newBar(p *cmdline.Process, what string, more ...progressbar.Option) *bar {
	if !cmdline.IsTerminal(p.Stderr) {
		return &bar{}
	}
	options := []progressbar.Option{progressbar.OptionSetWriter(cmdline.Raw(p.Stderr)), progressbar.OptionSetDescription(what), progressbar.OptionClearOnFinish()}
	return &bar{progressbar.NewOptions64(1, append(options, more...)...)}
}

// newCounter returns a bar with the number of things, newByteBar one of bytes.
func newCounter(p *cmdline.Process, what string) *bar {
	return newBar(p, what, progressbar.OptionShowCount())
}

// newSpinner returns a bar of events, whose number nobody knows before.
func newSpinner(p *cmdline.Process, what string) *bar {
	return newBar(p, what, progressbar.OptionShowCount(), progressbar.OptionSetItsString("events"))
}

func newByteBar(p *cmdline.Process, what string) *bar {
	return newBar(p, what, progressbar.OptionShowBytes(true))
}

// set shows that so many are done, of a total or, where that is unknown, of -1. An error is no
// reason to stop.
func (b *bar) set(done, total int64) {
	if b.shown != nil {
		if total >= 0 {
			total = max(total, 1)
		}
		b.shown.ChangeMax64(total)
		_ = b.shown.Set64(done)
	}
}

// finish removes the bar.
func (b *bar) finish() {
	if b.shown != nil {
		_ = b.shown.Finish()
	}
}

// above returns a writer of lines that appear above the bar where both go to a terminal.
func (b *bar) above(w io.Writer) io.Writer {
	if b.shown == nil || !cmdline.IsTerminal(w) {
		return w
	}
	return clearing{b.shown, w}
}

// clearing removes a bar before each line; the bar shows itself again.
type clearing struct {
	bar *progressbar.ProgressBar
	io.Writer
}

// Write implements io.Writer.
func (c clearing) Write(line []byte) (int, error) {
	if c.bar.IsStarted() && !c.bar.IsFinished() {
		_ = c.bar.Clear()
	}
	return c.Writer.Write(line)
}
