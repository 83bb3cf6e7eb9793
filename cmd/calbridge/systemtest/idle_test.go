package systemtest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// TestTenThousandIdle holds ten thousand connections, half of them silent from the start and half
// idle after a request, and sends requests on others. It runs only with this command:
//
//	CALBRIDGE_LONG=1 go test -run TestTenThousandIdle -v ./cmd/calbridge/systemtest
func TestTenThousandIdle(t *testing.T) {
	if os.Getenv("CALBRIDGE_LONG") == "" {
		t.Skip("set CALBRIDGE_LONG=1 to run it")
	}
	for _, most := range []string{"4096", "20000"} {
		t.Run("max-connections "+most, func(t *testing.T) {
			c := spawn(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t), "--log-level", "info", "--max-connections", most)
			before := resident(t, c.started)
			const request = "GET /wp-json/calendar/events/v1/venues?per_page=1 HTTP/1.1\r\nHost: x\r\n\r\n"
			for i := range 10_000 {
				conn, err := net.Dial("tcp", hostOf(c.started))
				if err != nil {
					t.Fatalf("connection %d: %v", i, err)
				}
				defer conn.Close()
				if i%2 == 0 {
					continue
				}
				_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
				_, _ = io.WriteString(conn, request)
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil || resp.StatusCode != http.StatusOK {
					t.Fatalf("connection %d: %v", i, err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
			}
			begin := time.Now()
			for range 100 {
				if resp, _ := fetch(t, c.api+"/wp-json/calendar/events/v1/events?per_page=1"); resp.StatusCode != http.StatusOK {
					t.Errorf("another client gets %d", resp.StatusCode)
				}
			}
			took, after := time.Since(begin), resident(t, c.started)
			t.Logf("resident memory %.0f MiB before, %.0f MiB with 10,000 connections; others are answered in %s on average", before, after, took/100)
			if after > 512 {
				t.Errorf("%.0f MiB of memory are in use", after)
			}
		})
	}
}

// resident reads the process's memory, in MiB, off its metrics.
func resident(t *testing.T, s *started) float64 {
	t.Helper()
	_, metrics := fetch(t, s.ops+"/metrics")
	var bytes float64
	_, after, _ := strings.Cut(metrics, "\nprocess_resident_memory_bytes ")
	if _, err := fmt.Sscan(after, &bytes); err != nil {
		t.Fatal(err)
	}
	return bytes / (1 << 20)
}
