package systemtest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// streamLoad holds the measurements of TestStreamLoad.
type streamLoad struct {
	mu   sync.Mutex
	sent map[int]time.Time // commit time of each change
	lags []time.Duration
}

// read follows a stream and records when changes arrive.
func (l *streamLoad) read(in *bufio.Reader) {
	var lags []time.Duration
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lags = append(l.lags, lags...)
	}()
	for {
		line, err := in.ReadSlice('\n')
		at := time.Now()
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
		_, rest, found := bytes.Cut(line, []byte(`"title":"change `))
		if !found {
			continue
		}
		digits, _, _ := bytes.Cut(rest, []byte(`"`))
		n, err := strconv.Atoi(string(digits))
		if err != nil {
			continue
		}
		l.mu.Lock()
		sent, ok := l.sent[n]
		l.mu.Unlock()
		if ok {
			lags = append(lags, at.Sub(sent))
		}
	}
}

// streamConn opens a stream on a plain connection, without the memory that http.Client takes.
func streamConn(t *testing.T, api string) (net.Conn, *bufio.Reader) {
	t.Helper()
	for {
		conn, err := net.Dial("tcp", strings.TrimPrefix(api, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", streamPath)
		in := bufio.NewReaderSize(conn, 32<<10)
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode == http.StatusOK {
			t.Cleanup(func() { conn.Close() })
			return conn, in
		}
		if resp.StatusCode != http.StatusServiceUnavailable {
			body, _ := io.ReadAll(resp.Body)
			t.Fatalf("%s %s", resp.Status, body)
		}
		conn.Close()
		time.Sleep(10 * time.Millisecond)
	}
}

// memoryOf returns the resident memory of a process, in KiB.
func memoryOf(t *testing.T, pid int) int {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("needs Linux's /proc")
	}
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	kib, _ := strconv.Atoi(strings.Fields(rest)[0])
	return kib
}

// processorOf returns the CPU time of a process, with a resolution of 10 ms.
func processorOf(t *testing.T, pid int) time.Duration {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skip("needs Linux's /proc")
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// TestStreamLoad measures the time from the COMMIT of a change until 1,000 clients have received
// it, at 10 changes a second. It also measures the times of the list, and the memory of 10,000
// idle streams:
//
//	CALBRIDGE_LONG=1 go test -run TestStreamLoad -v ./cmd/calbridge/systemtest
//
// Clients, server and database share the machine. A short run has fewer clients and fails only
// if messages are missing.
func TestStreamLoad(t *testing.T) {
	clients, idle, lasts := 50, 200, 2*time.Second
	if os.Getenv("CALBRIDGE_LONG") != "" {
		clients, idle, lasts = 1000, 10_000, 30*time.Second
	}
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 200)
	c := spawn(t, nil, streamArgs(t, dsn, "--max-streams", "20000", "--max-streams-per-client", "20000", "--max-connections", "30000")...)
	l := &streamLoad{sent: map[int]time.Time{}}
	var readers sync.WaitGroup
	var conns []net.Conn
	for range clients {
		conn, in := streamConn(t, c.api)
		conns = append(conns, conn)
		readers.Go(func() { l.read(in) })
	}
	ids := listedEvents(t, c.api+strings.TrimSuffix(streamPath, "/stream")+"?per_page=50", nil)
	listed := make(chan []time.Duration)
	stop := make(chan struct{})
	go func() {
		var times []time.Duration
		defer func() { listed <- times }()
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
			begin := time.Now()
			resp, err := http.Get(fmt.Sprintf("%s%s?per_page=10&page=%d", c.api, strings.TrimSuffix(streamPath, "/stream"), 1+n%4))
			if err != nil {
				continue
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			times = append(times, time.Since(begin))
		}
	}()
	used := processorOf(t, c.cmd.Process.Pid)
	changes := 0
	for ticker, end := time.NewTicker(100*time.Millisecond), time.Now().Add(lasts); time.Now().Before(end); changes++ {
		<-ticker.C
		tx, err := site.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), "UPDATE wp_posts SET post_title = ? WHERE ID = ?", fmt.Sprint("change ", changes), ids[changes%len(ids)]); err != nil {
			t.Fatal(err)
		}
		l.mu.Lock()
		l.sent[changes] = time.Now()
		l.mu.Unlock()
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	times := <-listed
	time.Sleep(2 * time.Second)
	used = processorOf(t, c.cmd.Process.Pid) - used
	for _, conn := range conns {
		conn.Close()
	}
	readers.Wait()
	if len(l.lags) == 0 || len(times) == 0 {
		t.Fatalf("%d messages, %d lists", len(l.lags), len(times))
	}
	slices.Sort(l.lags)
	slices.Sort(times)
	t.Logf("%d clients, %d changes: from COMMIT to the client p50 %.1f ms, p99 %.1f ms, longest %.1f ms; the list meanwhile p50 %.1f ms, p99 %.1f ms (%d requests); the server used %.2f s of processors",
		clients, changes, ms(percentile(l.lags, 50)), ms(percentile(l.lags, 99)), ms(l.lags[len(l.lags)-1]), ms(percentile(times, 50)), ms(percentile(times, 99)), len(times), used.Seconds())
	if len(l.lags) != clients*changes {
		t.Errorf("%d messages arrived, want %d", len(l.lags), clients*changes)
	}
	before := memoryOf(t, c.cmd.Process.Pid)
	for range idle {
		streamConn(t, c.api)
	}
	time.Sleep(lasts)
	_, metrics := fetch(t, c.ops+"/metrics")
	open := ""
	for line := range strings.Lines(metrics) {
		if strings.HasPrefix(line, "calbridge_streams ") {
			open = strings.TrimSpace(line)
		}
	}
	after := memoryOf(t, c.cmd.Process.Pid)
	t.Logf("%d idle streams: %d MiB of memory, %d MiB before: %.1f KiB each", idle, after>>10, before>>10, float64(after-before)/float64(idle))
	if want := fmt.Sprint("calbridge_streams ", idle); open != want {
		t.Errorf("%s, want %s", open, want)
	}
}
