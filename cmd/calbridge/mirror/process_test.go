package mirror

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the tests run a mirror as a separate process.
func TestMain(m *testing.M) {
	if url := os.Getenv("CALBRIDGE_TEST_MIRROR_OF"); url != "" {
		os.Exit(mirrorProcess(url, os.Getenv("CALBRIDGE_TEST_MIRROR_DIR")))
	}
	os.Exit(m.Run())
}

func mirrorProcess(url, dir string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	t := &testing.T{} // only for its helper functions, which don't fail here
	if err := Run(ctx, options(t, url, dir)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// TestKilledProcess ends the process by SIGKILL at random moments. It checks that the last
// process, which ends by SIGTERM, leaves the complete calendar.
func TestKilledProcess(t *testing.T) {
	s := newStandIn(7)
	asked := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- struct{}{}:
		default:
		}
		s.ServeHTTP(w, r)
	}))
	defer server.Close()
	dir := t.TempDir()
	o := options(t, server.URL, dir)
	start := func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "CALBRIDGE_TEST_MIRROR_OF="+server.URL, "CALBRIDGE_TEST_MIRROR_DIR="+dir)
		c.Stderr = t.Output()
		select {
		case <-asked: // a request of the previous process
		default:
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-asked: // otherwise slow machines would only test starts
		case <-time.After(time.Minute):
			t.Fatal("the process asks for nothing")
		}
		return c
	}
	if err := prepareFile(o.Out); err != nil {
		t.Fatal(err)
	}
	watching, stop := context.WithCancel(t.Context())
	defer stop()
	watched := watch(watching, t, o)
	kills := 8
	switch {
	case os.Getenv("CALBRIDGE_LONG") == "1":
		kills = 200
	case testing.Short():
		kills = 3
	}
	db := reader(t, o.Out)
	for range kills {
		c := start()
		for range 30 {
			s.change()
			time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
		}
		if rand.IntN(2) == 0 {
			s.set(func() { s.epoch++ })
			time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
		}
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
	}
	last := start()
	eventually(t, "no copy", func() bool { return tables(t, o.Out) })
	eventually(t, "the copy isn't the calendar", func() bool { return maps.Equal(copied(t, db), s.list()) })
	if err := last.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := last.Wait(); err != nil {
		t.Error(err)
	}
	if got, err := lines(o.Lines); err != nil || !maps.Equal(got, s.list()) {
		t.Errorf("the file of lines has %d events, the calendar %d (%v)", len(got), len(s.list()), err)
	}
	stop()
	watched.Wait()
	if _, err := os.Stat(o.Lines + ".new"); err == nil {
		t.Error("a half file of lines is left over")
	}
}
