package systemtest

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// pushBound is the age up to which Varnish may serve a response that a change has made outdated.
const pushBound = time.Second

// pushTime returns how long changes and readers run.
func pushTime() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("CALBRIDGE_PUSH_FOR")); err == nil {
		return d
	}
	return 4 * time.Second
}

// varnished is a calendar behind Varnish, configured as in docker/varnish, which calbridge purges.
type varnished struct {
	*coherentSite
	t                    *testing.T              // of the whole test, not of a part
	varnish, listen, ops string                  // addresses
	edit                 func(vcl string) string // changes the configuration from docker/varnish; may be nil
	front                string                  // the address that is asked: that of Varnish or calbridge
	args                 []string
	calbridge            *child
	process              *exec.Cmd
	oracle               string // the address of a calbridge with --cache off
	by                   []titleWriter
	written              [3]int64 // by each

	// titles has for each event the times at which its versions were superseded.
	mu     sync.Mutex
	titles map[int][]time.Time
	// excused is the time from which responses count again after something was stopped.
	excused atomic.Int64
	// away is set while calbridge or Varnish is stopped: then nothing is written by the API.
	away atomic.Bool

	asked, hits, outdated atomic.Int64
	oldest                atomic.Int64 // nanoseconds
}

func newVarnished(t *testing.T, method string) *varnished {
	t.Helper()
	if _, err := exec.LookPath("/usr/sbin/varnishd"); err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_OPS") == "1" {
			t.Fatal(err)
		}
		t.Skipf("%v; set CALBRIDGE_REQUIRE_OPS=1 to insist on it", err)
	}
	address := func() string { return "127.0.0.1:" + strconv.Itoa(wptest.FreePort(t)) }
	v := &varnished{t: t, coherentSite: newCoherentSite(t, wptest.Replicated(t), 300), varnish: address(), listen: address(), ops: address(), titles: map[int][]time.Time{}}
	v.front = v.varnish
	file := filepath.Join(t.TempDir(), "purge.json")
	text := fmt.Sprintf(`{"max_age": "24h", "caches": [{"provider": "varnish", "url": "http://%s/", "method": %q}]}`, v.varnish, method)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	v.args = []string{
		"serve", "--dsn", v.dsn, "--table-prefix", "wp_", "--namespace", "calendar/events/v1", "--clock", synthetic.Now.Format(time.RFC3339),
		"--cache-tags", "xkey", "--cache-tag-prefix", "cal-", "--purge", file, "--listen", v.listen, "--ops-listen", v.ops, "--request-timeout", "1m",
	}
	v.startVarnish()
	v.addUser()
	v.calbridge = spawn(t, nil, v.args...)
	oracle := spawn(t, nil, "serve", "--dsn", v.dsn, "--table-prefix", "wp_", "--namespace", "calendar/events/v1", "--clock", synthetic.Now.Format(time.RFC3339), "--cache", "off", "--compat", "safe", "--request-timeout", "1m")
	v.oracle = strings.TrimPrefix(oracle.api, "http://")
	v.by = v.writers()
	return v
}

// startVarnish starts Varnish with an empty cache, and waits until it accepts connections.
func (v *varnished) startVarnish() {
	t := v.t
	t.Helper()
	vcl, err := os.ReadFile("../../../docker/varnish/calbridge.vcl")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(v.listen, ":")
	dir := shortDir(t)
	file := filepath.Join(dir, "calbridge.vcl")
	text := strings.Replace(string(vcl), `"8080"`, strconv.Quote(port), 1)
	if v.edit != nil {
		text = v.edit(text)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	log := &output{}
	v.process = exec.Command("/usr/sbin/varnishd", "-F", "-j", "none", "-n", filepath.Join(dir, "run"), "-a", v.varnish, "-f", file, "-s", "malloc,64m", "-p", "thread_pool_min=10")
	v.process.Stdout, v.process.Stderr = log, log
	v.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := v.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.stopVarnish)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("Varnish's log:\n%s", log)
		}
	})
	waitFor(t, func() bool {
		_, _, err := v.get(t.Context(), "/")
		return err == nil
	})
}

func (v *varnished) stopVarnish() {
	_ = v.process.Process.Signal(syscall.SIGTERM)
	_ = v.process.Wait()
}

// get returns the response to a GET through Varnish, in the form of answered, and its headers.
func (v *varnished) get(ctx context.Context, target string, header ...string) (text string, h http.Header, err error) {
	return v.ask(ctx, v.front, target, header...)
}

// ask does what get does, at any address.
func (v *varnished) ask(ctx context.Context, address, target string, header ...string) (text string, h http.Header, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+target, nil)
	if err != nil {
		return "", nil, err
	}
	r.Host = "example.com"
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return "", nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return fmt.Sprintln(resp.StatusCode, resp.Header["X-Tec-Total"], resp.Header["Link"], string(body)), resp.Header, err
}

// fromCache reports whether Varnish had a response: it then names two transactions.
func fromCache(h http.Header) bool { return strings.Contains(h.Get("X-Varnish"), " ") }

var versionOfTitle = regexp.MustCompile(`Titul (\d+) v(\d+)`)

// rename gives an event a title with its next version.
func (v *varnished) rename(t *testing.T, id int) {
	v.mu.Lock()
	version, total := len(v.titles[id]), v.serial.Add(1)
	v.mu.Unlock()
	title := fmt.Sprintf("Titul %d v%d", id, version)
	by, away := int(total)%len(v.by), v.away.Load()
	err := v.by[by].write(id, title)
	if err != nil && v.by[by].name == "API" && (away || v.away.Load() || time.Now().UnixNano() < v.excused.Load()) {
		by, err = 0, v.writeSQL(id, title)
	}
	if err != nil {
		t.Errorf("by %s: %v", v.by[by].name, err)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.written[by]++
	v.titles[id] = append(v.titles[id], time.Now())
}

// hot returns one of few events, so that each is changed and read often.
func (v *varnished) hot(r *rand.Rand) int { return 10001 + r.IntN(8)*v.events/8 }

// judge notes the age of the oldest title in a response that was requested at a time: the time since
// its next version was committed.
func (v *varnished) judge(t *testing.T, target, text string, asked time.Time) {
	v.asked.Add(1)
	if asked.UnixNano() < v.excused.Load() {
		return
	}
	for _, m := range versionOfTitle.FindAllStringSubmatch(text, -1) {
		id, _ := strconv.Atoi(m[1])
		version, _ := strconv.Atoi(m[2])
		v.mu.Lock()
		var superseded time.Time
		if times := v.titles[id]; version+1 < len(times) {
			superseded = times[version+1]
		}
		v.mu.Unlock()
		if superseded.IsZero() {
			continue
		}
		age := asked.Sub(superseded)
		for old := v.oldest.Load(); int64(age) > old && !v.oldest.CompareAndSwap(old, int64(age)); old = v.oldest.Load() {
		}
		if age > pushBound {
			if v.outdated.Add(1) <= 3 {
				t.Errorf("%s has the title %q %s after the next one", target, m[0], age)
			}
		}
	}
}

// read asks for random responses until the context ends.
func (v *varnished) read(ctx context.Context, t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 3))
	for ctx.Err() == nil {
		target := v.target(r)
		if r.IntN(3) == 0 {
			target = fmt.Sprint("/wp-json/calendar/events/v1/events/", v.hot(r))
		}
		asked := time.Now()
		text, h, err := v.get(ctx, target)
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		if fromCache(h) {
			v.hits.Add(1)
		}
		v.judge(t, target, text, asked)
	}
}

// write renames events, ten per second.
func (v *varnished) write(ctx context.Context, t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 4))
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			v.rename(t, v.hot(r))
			if r.IntN(4) == 0 { // some other row
				if statement, args := v.statement(r); !strings.Contains(statement, "post_title") {
					_, _ = v.db.Exec(statement, args...)
				}
			}
		}
	}
}

// during runs readers and writers while f runs, and then until a time has passed.
func (v *varnished) during(t *testing.T, length time.Duration, f func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() { v.read(ctx, t, uint64(i)) })
	}
	work.Go(func() { v.write(ctx, t, 1) })
	begin := time.Now()
	f()
	time.Sleep(length - time.Since(begin))
	cancel()
	work.Wait()
	v.settle(t)
	t.Logf("%d responses in %s, %.0f per second, %.0f %% of them by Varnish; the oldest was %s behind", v.asked.Load(), time.Since(begin).Round(time.Millisecond),
		float64(v.asked.Load())/time.Since(begin).Seconds(), 100*float64(v.hits.Load())/float64(max(v.asked.Load(), 1)), time.Duration(v.oldest.Load()).Round(time.Millisecond))
	for i, by := range v.by {
		t.Logf("%d titles written by %s", v.written[i], by.name)
		if v.written[i] == 0 {
			t.Errorf("nothing was written by %s", by.name)
		}
	}
	v.written = [3]int64{}
	if v.hits.Load() == 0 && v.front == v.varnish {
		t.Error("Varnish had no response")
	}
	v.asked.Store(0)
	v.hits.Store(0)
	v.oldest.Store(0)
}

// settle compares what Varnish has with responses of calbridge with --cache off, once changes have
// stopped.
func (v *varnished) settle(t *testing.T) {
	t.Helper()
	time.Sleep(pushBound)
	r := rand.New(rand.NewPCG(9, 9))
	hits := 0
	for range 200 {
		target := v.target(r)
		got, h, err := v.get(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		if fromCache(h) {
			hits++
		}
		want, _, err := v.ask(t.Context(), v.oracle, target)
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s, by Varnish: %t:\n%.600s\ncalbridge --cache off:\n%.600s", target, fromCache(h), got, want)
			return
		}
	}
	if hits == 0 && v.front == v.varnish {
		t.Error("after the changes, Varnish had no response")
	}
}

// excuse makes responses count again after a grace time from now.
func (v *varnished) excuse(after time.Duration) {
	v.excused.Store(time.Now().Add(after).UnixNano())
}

// TestVarnish puts Varnish in front, which stores responses for a day, while rows change. No response
// may be older than pushBound: not in operation, and not after calbridge was killed, Varnish
// restarted, or the binary log started over. It runs for CALBRIDGE_PUSH_FOR in each case.
func TestVarnish(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short; set CALBRIDGE_PUSH_FOR=10m for a long run")
	}
	v := newVarnished(t, "PURGE")
	t.Run("in operation", func(t *testing.T) { v.during(t, pushTime(), func() {}) })
	t.Run("calbridge alone, for comparison", func(t *testing.T) {
		v.front = v.listen
		v.during(t, pushTime(), func() {})
		v.front = v.varnish
	})
	t.Run("calbridge is killed", func(t *testing.T) {
		v.during(t, pushTime(), func() {
			time.Sleep(pushTime() / 4)
			v.excuse(time.Hour) // while it isn't running, nothing is purged
			v.away.Store(true)
			_ = v.calbridge.cmd.Process.Kill()
			v.calbridge.wait(10 * time.Second)
			time.Sleep(300 * time.Millisecond)
			v.calbridge = spawn(v.t, nil, v.args...)
			v.away.Store(false)
			v.excuse(pushBound)
		})
	})
	t.Run("Varnish restarts", func(t *testing.T) {
		v.during(t, pushTime(), func() {
			time.Sleep(pushTime() / 4)
			v.away.Store(true)
			v.stopVarnish()
			time.Sleep(300 * time.Millisecond)
			v.startVarnish()
			v.away.Store(false)
		})
	})
	t.Run("the log starts over", func(t *testing.T) {
		v.during(t, pushTime(), func() {
			time.Sleep(pushTime() / 4)
			if _, err := v.db.Exec("RESET MASTER"); err != nil {
				t.Error(err)
			}
			v.excuse(3*time.Second + pushBound) // the server is silent for so long, and then everything is purged
			time.Sleep(3*time.Second + 2*pushBound)
		})
	})
	t.Run("a list gains events while nobody asks calbridge", func(t *testing.T) {
		const target = "/wp-json/calendar/events/v1/events?start_date=2020-01-01&end_date=2030-12-31&per_page=1"
		status := func(status string) {
			if _, err := v.db.Exec("UPDATE wp_posts SET post_status = ? WHERE ID BETWEEN 10101 AND 10200", status); err != nil {
				t.Fatal(err)
			}
		}
		status("draft")
		time.Sleep(2 * pushBound)
		before, _, err := v.get(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		if _, h, _ := v.get(t.Context(), target); !fromCache(h) {
			t.Fatalf("Varnish doesn't have it: %v", h)
		}
		status("publish")
		time.Sleep(pushBound)
		if after, _, err := v.get(t.Context(), target); err != nil || after == before {
			t.Errorf("%v: Varnish still has\n%.200s", err, after)
		}
	})
	t.Run("what isn't stored", func(t *testing.T) {
		const target = "/wp-json/calendar/events/v1/events?per_page=5"
		for name, c := range map[string]struct {
			target string
			header []string
			hit    bool
		}{
			"anonymous":    {target: target, hit: true},
			"cookie":       {target: target, header: []string{"Cookie", "_ga=1"}, hit: true},
			"Origin":       {target: target, header: []string{"Origin", "https://elsewhere.example"}},
			"a user":       {target: target, header: []string{"Authorization", "Basic eDp5"}},
			"login cookie": {target: target, header: []string{"Cookie", "wordpress_logged_in_x=y"}},
			"refused":      {target: "/wp-json/calendar/events/v1/events/987654321"},
			"export":       {target: "/events/?ical=1"},
		} {
			for range 2 {
				_, h, err := v.get(t.Context(), c.target, c.header...)
				if err != nil {
					t.Fatal(err)
				}
				if h.Get("Xkey") != "" || strings.Contains(h.Get("Cache-Control"), "s-maxage") {
					t.Errorf("%s: the client got %v", name, h)
				}
			}
			if _, h, _ := v.get(t.Context(), c.target, c.header...); fromCache(h) != c.hit {
				t.Errorf("%s: from Varnish: %t, Cache-Control %q", name, fromCache(h), h.Get("Cache-Control"))
			}
		}
	})
}

// TestVarnishBans uses Varnish without its module xkey: bans by a pattern of names.
func TestVarnishBans(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short; set CALBRIDGE_PUSH_FOR=10m for a long run")
	}
	v := newVarnished(t, "BAN")
	v.during(t, pushTime(), func() {})
}
