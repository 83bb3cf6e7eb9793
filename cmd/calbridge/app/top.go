package app

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/console"
)

// topCommand shows what a running server is doing until a signal or the key q arrives. The figures
// are those of the console's page.
func topCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	var once bool
	s, err := opsSettings(p, "top", args, func(fs *flag.FlagSet) {
		fs.BoolVar(&once, "once", false, "print the figures once and exit")
	})
	if err != nil {
		return err
	}
	url := opsURL(s, console.Path+"stream")
	if !once && cmdline.IsTerminal(p.Stdout) {
		return watchTop(ctx, p, s.Listen.Ops, url)
	}
	err = readNow(ctx, url, func(n *console.Now) (again bool) {
		view := topView{paint: p.PaintOn(p.Stdout)}
		fmt.Fprint(p.Stdout, strings.Join(view.lines(n), "\n"), "\n\n")
		return !once
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("top: %w; is calbridge running, with --ops-listen %s?", err, s.Listen.Ops)
	}
	return nil
}

// watchTop redraws the figures on a terminal as they come, and follows its keys.
func watchTop(ctx context.Context, p *cmdline.Process, ops, url string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer fmt.Fprintln(p.Stdout) // the shell's prompt comes below the figures
	keys, restore := cmdline.ReadKeys(ctx)
	defer restore()
	news := make(chan *console.Now)
	ended := make(chan struct{})
	go func() { // ends with ctx
		defer close(ended)
		defer close(news)
		for ctx.Err() == nil {
			_ = readNow(ctx, url, func(n *console.Now) bool { return pass(ctx, news, n) })
			if !pass(ctx, news, nil) {
				return
			}
			select {
			case <-time.After(2 * time.Second):
			case <-ctx.Done():
			}
		}
	}()
	defer func() { cancel(); <-ended }()
	screen := topScreen{process: p, ops: ops, view: topView{paint: p.PaintOn(p.Stdout)}}
	screen.draw()
	for {
		select {
		case n, ok := <-news:
			if !ok {
				return nil
			}
			screen.receive(n)
		case key := <-keys:
			if screen.press(key) {
				return nil
			}
		case <-ctx.Done():
			return nil
		}
		screen.draw()
	}
}

// pass sends figures, nil while there is no connection. It reports whether they were taken.
func pass(ctx context.Context, to chan<- *console.Now, n *console.Now) bool {
	select {
	case to <- n:
		return true
	case <-ctx.Done():
		return false
	}
}

// maxMessage limits the size of one message of the stream, in bytes.
const maxMessage = 4 << 20

// readNow calls each with the figures of every message in the stream until each returns false.
func readNow(ctx context.Context, url string, each func(*console.Now) bool) error {
	body, err := askOps(ctx, url)
	if err != nil {
		return err
	}
	defer body.Close()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxMessage)
	event := ""
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			event = name
			continue
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || event != "now" {
			continue
		}
		n := new(console.Now)
		if err := json.Unmarshal([]byte(data), n); err != nil {
			return err
		}
		if !each(n) {
			return nil
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return errors.New("the server has closed the stream")
}
