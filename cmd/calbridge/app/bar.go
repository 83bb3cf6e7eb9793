package app

import (
	"io"

	"github.com/schollz/progressbar/v3"

	"calbridge/cmd/calbridge/cmdline"
)

// bar shows the progress of a command on its standard error, if that is a terminal.
type bar struct{ shown *progressbar.ProgressBar }

// newBar returns a progress bar for things that are counted. The options more may describe
// them.
func newBar(p *cmdline.Process, what string, more ...progressbar.Option) *bar {
	if !cmdline.IsTerminal(p.Stderr) {
		return &bar{}
	}
	options := []progressbar.Option{progressbar.OptionSetWriter(cmdline.Raw(p.Stderr)), progressbar.OptionSetDescription(what), progressbar.OptionClearOnFinish()}
	return &bar{progressbar.NewOptions64(1, append(options, more...)...)}
}

// newCounter returns a bar that shows a number of things.
func newCounter(p *cmdline.Process, what string) *bar {
	return newBar(p, what, progressbar.OptionShowCount())
}

// newSpinner returns a bar for events whose total is unknown.
func newSpinner(p *cmdline.Process, what string) *bar {
	return newBar(p, what, progressbar.OptionShowCount(), progressbar.OptionSetItsString("events"))
}

func newByteBar(p *cmdline.Process, what string) *bar {
	return newBar(p, what, progressbar.OptionShowBytes(true))
}

// set shows that done of total things are finished. A total of -1 means unknown. An error of
// the terminal is ignored, since it must not stop the command.
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

// above returns a writer whose lines appear above the bar if both go to a terminal.
func (b *bar) above(w io.Writer) io.Writer {
	if b.shown == nil || !cmdline.IsTerminal(w) {
		return w
	}
	return clearing{b.shown, w}
}

// clearing is a writer that removes the bar before each line. The bar reappears with its next
// update.
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
