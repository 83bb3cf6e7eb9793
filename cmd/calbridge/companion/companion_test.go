package companion

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/rowedit"
)

// TestCompanionSendsWrites checks that WordPress receives a notice of what a transaction
// wrote.
func TestCompanionSendsWrites(t *testing.T) {
	received := make(chan string, 16)
	wordpress := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received <- r.URL.RawQuery + " " + string(body)
		w.WriteHeader(http.StatusOK)
		io.WriteString(w, `{"companion":"1"}`)
	}))
	defer wordpress.Close()
	client, err := Open(Config{URL: wordpress.URL + "/", Secret: strings.Repeat("s", 40)}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	client.Committed()(rowedit.Changes{Posts: []int64{4711}, Options: []string{"cron"}})
	deadline := time.After(time.Minute)
	for {
		select {
		case got := <-received:
			if strings.Contains(got, "4711") {
				return
			}
		case <-deadline:
			t.Fatal("WordPress did not hear of the post")
		}
	}
}

func TestCompanionSettings(t *testing.T) {
	if _, err := Open(Config{URL: "http://127.0.0.1:1", Secret: "short"}, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "companion-secret") {
		t.Errorf("a short secret: %v", err)
	}
	if client, err := Open(Config{}, nil); client != nil || err != nil || client.Committed() != nil {
		t.Errorf("without an address: %v, %v", client, err)
	}
}
