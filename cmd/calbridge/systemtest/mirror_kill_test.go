package systemtest

import (
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// mirrorRun describes a test of a mirror: the number of changes, the number of changes between
// two comparisons of the copy, and the average number between two kills.
type mirrorRun struct{ changes, compared, kill int }

// TestMirrorKilled checks that a mirror equals the list after changes by SQL and through the
// API, while the server and the mirror are killed and the server is reloaded at random moments.
// It makes 10,000 changes with CALBRIDGE_LONG=1. CALBRIDGE_MIRROR_SEED is the seed of the changes, the
// kills and their moments.
func TestMirrorKilled(t *testing.T) {
	run := mirrorRun{changes: 150, compared: 75, kill: 12}
	if os.Getenv("CALBRIDGE_LONG") != "" {
		run = mirrorRun{changes: 10_000, compared: 1000, kill: 40}
	}
	seed, err := strconv.ParseUint(os.Getenv("CALBRIDGE_MIRROR_SEED"), 10, 64)
	if err != nil {
		seed = 1
	}
	k := newMirrorKiller(t, seed)
	begin := time.Now()
	for done := 0; done < run.changes; done += run.compared {
		k.disturb(int64(min(done+run.compared, run.changes)), run.kill)
		k.compare()
		if t.Failed() {
			t.Fatalf("seed %d, after %d changes; the server's log:\n%.5000s\nthe mirror's:\n%.5000s", seed, k.load.made.Load(), k.server.stderr, k.mirror.log)
		}
	}
	k.endMirror()
	k.compareFiles()
	if k.tally["kills of the server"] == 0 || k.tally["kills of the mirror"] == 0 || k.load.byAPI.Load() == 0 {
		t.Errorf("%v, %d changes by the API", k.tally, k.load.byAPI.Load())
	}
	t.Logf("seed %d: %d changes, %d of them by the API, in %s; %v; answers of the API: %v; whole lists: %v",
		seed, k.load.made.Load(), k.load.byAPI.Load(), time.Since(begin).Round(time.Second), k.tally, k.load.answers(), k.reasons)
}

// mirrorKiller runs a server and a mirror of it, and kills them.
type mirrorKiller struct {
	*rand.Rand
	t       *testing.T
	db      wptest.Database
	folder  string
	load    *mirrorLoad
	server  *child
	front   *httptest.Server // whose address stays, while the server's port changes
	target  atomic.Pointer[url.URL]
	mirror  *mirrorProcess
	deck    []int // the upcoming disturbances, shuffled so that each occurs
	tally   map[string]int
	reasons map[string]int // why whole lists were fetched again
}

// mirrorProcess is a running mirror.
type mirrorProcess struct {
	cmd *exec.Cmd
	log *output
}

func newMirrorKiller(t *testing.T, seed uint64) *mirrorKiller {
	k := &mirrorKiller{t: t, Rand: rand.New(rand.NewPCG(seed, 1)), db: soakDatabase(t, mirrorEvents), folder: t.TempDir(), tally: map[string]int{}, reasons: map[string]int{}}
	k.front = httptest.NewServer(&httputil.ReverseProxy{ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(k.target.Load()) }})
	t.Cleanup(k.front.Close)
	k.load = newMirrorLoad(t, k.db, seed, &k.target)
	k.serve()
	k.follow()
	k.compare() // until the mirror has a whole list
	return k
}

func (k *mirrorKiller) serverArgs() []string {
	return []string{"serve", "--dsn", k.db.DSN, "--extensions", "--state-dir", filepath.Join(k.folder, "state"), "--clock", "2026-11-21T12:00:00Z"}
}

func (k *mirrorKiller) serve() {
	k.t.Helper()
	k.server = spawn(k.t, nil, k.serverArgs()...)
	u, err := url.Parse(k.server.api)
	if err != nil {
		k.t.Fatal(err)
	}
	k.target.Store(u)
	k.load.down.Store(false)
}

func (k *mirrorKiller) file(name string) string { return filepath.Join(k.folder, name) }

// follow starts the mirror.
func (k *mirrorKiller) follow() {
	k.t.Helper()
	said := &output{}
	cmd := exec.Command("calbridge", "mirror", "--url", k.front.URL+mirrorTarget, "--out", k.file("calendar.sqlite"), "--jsonl", k.file("calendar.jsonl"), "--interval", "1s")
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	k.mirror = &mirrorProcess{cmd, said}
}

var wholeAgain = regexp.MustCompile(`the whole list again.*`)

// endMirror ends the mirror with a signal that it may handle.
func (k *mirrorKiller) endMirror() {
	k.t.Helper()
	if err := k.mirror.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		k.t.Fatal(err)
	}
	if err := k.mirror.cmd.Wait(); err != nil {
		k.t.Errorf("the mirror ended by a signal: %v\n%s", err, k.mirror.log)
	}
	k.count()
}

// count counts the reasons why the mirror has fetched whole lists.
func (k *mirrorKiller) count() {
	for _, line := range wholeAgain.FindAllString(k.mirror.log.String(), -1) {
		reason := line
		if m := goneReason.FindStringSubmatch(line); m != nil {
			reason = m[1]
		}
		k.reasons[reason]++
	}
}

func (k *mirrorKiller) killMirror() {
	_ = k.mirror.cmd.Process.Kill()
	_ = k.mirror.cmd.Wait()
	k.count()
	k.tally["kills of the mirror"]++
}

func (k *mirrorKiller) killServer() {
	k.load.down.Store(true)
	k.server.signal(syscall.SIGKILL)
	_ = k.server.wait(time.Minute)
	k.tally["kills of the server"]++
}

// pause waits for a random time.
func (k *mirrorKiller) pause(most time.Duration) { time.Sleep(time.Duration(k.Int64N(int64(most)))) }

// disturb kills and reloads until the total number of changes is reached.
func (k *mirrorKiller) disturb(until int64, every int) {
	k.t.Helper()
	var work sync.WaitGroup
	for i := range mirrorWriters {
		work.Go(func() { k.load.run(i, until) })
	}
	defer work.Wait()
	defer k.load.stopped.Store(false)
	defer k.load.stopped.Store(k.t.Failed())
	for {
		next := k.load.made.Load() + 1 + k.Int64N(2*int64(every))
		for k.load.made.Load() < next && !k.t.Failed() {
			if k.load.made.Load() >= until {
				return
			}
			time.Sleep(time.Millisecond)
		}
		if k.t.Failed() {
			return
		}
		if len(k.deck) == 0 {
			k.deck = k.Perm(6)
		}
		card := k.deck[0]
		k.deck = k.deck[1:]
		switch card {
		case 0, 1:
			k.killServer()
			k.again(true, false)
		case 2, 3:
			k.killMirror()
			k.again(false, true)
		case 4:
			k.killServer()
			k.killMirror()
			k.again(true, true)
		case 5:
			k.server.reload()
			k.tally["reloads"]++
		}
	}
}

// again restarts what was killed. Sometimes it is killed again before it is ready.
func (k *mirrorKiller) again(server, mirror bool) {
	k.t.Helper()
	k.pause(300 * time.Millisecond)
	if mirror {
		k.follow()
		if k.IntN(4) == 0 {
			k.pause(400 * time.Millisecond)
			k.killMirror()
			k.follow()
		}
	}
	if !server {
		return
	}
	if k.IntN(4) == 0 {
		cmd := exec.Command("calbridge", append(k.serverArgs(), "--listen", "127.0.0.1:0", "--ops-listen", "off")...)
		if err := cmd.Start(); err != nil {
			k.t.Fatal(err)
		}
		k.pause(600 * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		k.tally["kills of the server"]++
	}
	k.serve()
}

// compare waits until the mirror's files equal the list. Nothing changes meanwhile.
func (k *mirrorKiller) compare() {
	k.t.Helper()
	want, differs := k.listed(), ""
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if differs = k.differs(want); differs == "" {
			return
		}
	}
	k.t.Errorf("three minutes after the last change: %s", differs)
}

// compareFiles compares the files that a mirror has left after its end.
func (k *mirrorKiller) compareFiles() {
	k.t.Helper()
	if d := k.differs(k.listed()); d != "" {
		k.t.Error(d)
	}
}

func (k *mirrorKiller) differs(want map[int64]string) string {
	k.t.Helper()
	for name, read := range map[string]func() (map[int64]string, error){"JSONL": k.lines, "SQLite": k.rows} {
		got, err := read()
		if err != nil {
			return fmt.Sprint(name, ": ", err)
		}
		for id, text := range want {
			if got[id] != text {
				return fmt.Sprintf("%s: event %d is\n%.1500s\nnot\n%.1500s", name, id, got[id], text)
			}
		}
		for id, text := range got {
			if want[id] == "" {
				return fmt.Sprintf("%s: event %d is not in the list: %.300s", name, id, text)
			}
		}
	}
	return ""
}
