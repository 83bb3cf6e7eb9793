package systemtest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// peakOf returns the peak resident memory of a process in KiB.
func peakOf(t *testing.T, pid int) int {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("needs Linux's /proc")
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	kib, _ := strconv.Atoi(strings.Fields(rest)[0])
	return kib
}

// TestMirrorOfHostileServer checks that a mirror takes limited memory, whatever a server
// sends, and that it ends soon after SIGTERM.
func TestMirrorOfHostileServer(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory, which the race detector multiplies")
	}
	const most = 256 << 10 // KiB
	title := strings.Repeat("x", 6000)
	for name, page := range map[string]struct{ begin, again, end string }{
		"tiny items":  {`{"events":[{"id":1}`, `,{"id":%d}`, ""},
		"large items": {`{"events":[{"id":1}`, `,{"id":%d,"title":"` + title + `"}`, ""},
		"one item":    {`{"events":[{"id":1,"title":"`, "xxxxxxxx%d", ""},
		"members":     {`{"events":[{"id":1`, `,"a%d":1`, ""},
		"whole pages": {`{"events":[{"id":1}`, `,{"id":%d,"title":"` + title + `"}`, `],"page_token":"t%d"}`},
	} {
		t.Run(name, func(t *testing.T) {
			var pages atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				page, n := page, pages.Add(1)
				_, _ = io.WriteString(w, page.begin)
				for i := 2; (page.end == "" || i < 5000) && r.Context().Err() == nil; i++ {
					if _, err := fmt.Fprintf(w, page.again, int64(i)+5000*n); err != nil {
						return
					}
				}
				_, _ = fmt.Fprintf(w, page.end, n)
			}))
			defer server.Close()
			said := &output{}
			cmd := exec.Command("calbridge", "mirror", "--url", server.URL+"/wp-json/calendar/events/v1", "--out", filepath.Join(t.TempDir(), "calendar.sqlite"))
			cmd.Stdout, cmd.Stderr = said, said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			for until := time.Now().Add(time.Minute); pages.Load() < 3; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(until) {
					t.Fatalf("%d pages were asked for:\n%.2000s", pages.Load(), said)
				}
			}
			peak := peakOf(t, cmd.Process.Pid)
			if t.Logf("%d MiB", peak>>10); peak > most {
				t.Errorf("the mirror has taken %d MiB", peak>>10)
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("%v\n%.2000s", err, said)
				}
			case <-time.After(3 * time.Second):
				t.Errorf("SIGTERM doesn't end the mirror:\n%.2000s", said)
			}
		})
	}
}
