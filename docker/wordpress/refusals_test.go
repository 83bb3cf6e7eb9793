package wordpress_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/rest/notice"
)

// capture stores the signed requests that a client would send.
func capture(t *testing.T, key string, n notice.Notice) (http.Header, string) {
	t.Helper()
	var header http.Header
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		body, _ = io.ReadAll(r.Body)
		_, _ = io.WriteString(w, `{"companion":"1"}`)
	}))
	defer server.Close()
	c, err := notice.New(notice.Options{Site: server.URL, Secret: key, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	c.Send(n)
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return header, string(body)
}

func testRefusals(t *testing.T, s *site, _ *receiver) {
	id := s.id(`wp_insert_post(['post_title' => 'Old', 'post_status' => 'publish'])`)
	s.is(`"Old"`, `get_post(%d)->post_title`, id)
	s.sql("UPDATE wp_posts SET post_title='New' WHERE ID=?", id)
	n := notice.Notice{Posts: []int64{id}}
	send := func(route, method string, header http.Header, body string) (int, string) {
		t.Helper()
		req, _ := http.NewRequest(method, s.url+"index.php?rest_route=/calbridge/v1/"+route, strings.NewReader(body))
		req.Header = header
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	header, body := capture(t, secret, n)
	with := func(name, value string) http.Header {
		h := header.Clone()
		h.Set(name, value)
		return h
	}
	forged, _ := capture(t, strings.Repeat("x", 40), n)
	type attempt struct {
		name   string
		header http.Header
		body   string
	}
	for _, a := range []attempt{
		{"other secret", forged, body},
		{"no headers", http.Header{"Content-Type": {"application/json"}}, body},
		{"other body", header, body + " "},
		{"other time", with("X-Calbridge-Timestamp", "1800000000"), body},
		{"time not a number", with("X-Calbridge-Timestamp", "now"), body},
		{"other nonce", with("X-Calbridge-Nonce", strings.Repeat("0", 32)), body},
		{"nonce with newline", with("X-Calbridge-Nonce", header.Get("X-Calbridge-Nonce")+"\n"), body},
		{"no signature", with("X-Calbridge-Signature", ""), body},
	} {
		if strings.Contains(a.header.Get("X-Calbridge-Nonce"), "\n") {
			continue // Go does not send it
		}
		if code, text := send("notice", "POST", a.header, a.body); code != 401 {
			t.Errorf("%s: %d %s", a.name, code, text)
		}
	}
	if code, _ := send("status", "GET", header, body); code != 401 {
		t.Errorf("a notice's signature opens the status: %d", code)
	}
	old := http.Header{"Content-Type": {"application/json"}}
	signAt(old, time.Now().Add(-10*time.Minute), body)
	if code, text := send("notice", "POST", old, body); code != 401 || !strings.Contains(text, "clocks") {
		t.Errorf("ten minutes old: %d %s", code, text)
	}
	s.is(`"Old"`, `get_post(%d)->post_title`, id)

	if code, text := send("notice", "POST", header, body); code != 200 {
		t.Errorf("the genuine one: %d %s", code, text)
	}
	s.is(`"New"`, `get_post(%d)->post_title`, id)
	if code, text := send("notice", "POST", header, body); code != 409 {
		t.Errorf("again: %d %s", code, text)
	}
	// A copy of a notice that flushes the cache is refused.
	all := http.Header{"Content-Type": {"application/json"}}
	signAt(all, time.Now(), `{"all":true}`)
	for _, want := range []int{200, 409} {
		if code, text := send("notice", "POST", all, `{"all":true}`); code != want {
			t.Errorf("everything: %d %s, want %d", code, text, want)
		}
	}
	for _, bad := range []string{`[]x`, `7`, ``} {
		h := http.Header{"Content-Type": {"text/plain"}}
		signAt(h, time.Now(), bad)
		if code, text := send("notice", "POST", h, bad); code != 400 {
			t.Errorf("body %q: %d %s", bad, code, text)
		}
	}
	odd := `{"posts":"x","terms":[{"a":1},-1,"2"],"options":[1,null,""],"taxonomies":{"a":"post_tag"},"saved":[1,{"id":"x"}],"users":[1e9]}`
	h := http.Header{"Content-Type": {"application/json"}}
	signAt(h, time.Now(), odd)
	if code, text := send("notice", "POST", h, odd); code != 200 {
		t.Errorf("odd values: %d %s", code, text)
	}
}

// testRacingCopies checks that of several copies of one notice arriving at once only one
// is applied. WordPress deletes nonces when they have expired, and not earlier.
func testRacingCopies(t *testing.T, s *site, _ *receiver) {
	const rounds, copies = 30, 6
	for round := range rounds {
		header := http.Header{"Content-Type": {"application/json"}}
		signAt(header, time.Now(), "{}")
		codes := make([]int, copies)
		var senders sync.WaitGroup
		for i := range copies {
			senders.Go(func() {
				req, _ := http.NewRequest("POST", s.url+"index.php?rest_route=/calbridge/v1/notice", strings.NewReader("{}"))
				req.Header = header.Clone()
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				resp.Body.Close()
				codes[i] = resp.StatusCode
			})
		}
		senders.Wait()
		slices.Sort(codes)
		if want := []int{200, 409, 409, 409, 409, 409}; !slices.Equal(codes, want) {
			t.Fatalf("round %d: %v", round, codes)
		}
	}
	nonces := func(want int) {
		t.Helper()
		var got int
		if err := s.db.QueryRow(`SELECT COUNT(*) FROM wp_options WHERE option_name LIKE '\_transient%calbridge\_%'`).Scan(&got); err != nil || got != want {
			t.Errorf("%d rows of nonces, %v; want %d", got, err, want)
		}
	}
	s.sql(`DELETE FROM wp_options WHERE option_name LIKE '\_transient%calbridge\_%'`)
	tell(t, s, notice.Notice{Cron: true})
	nonces(2)
	s.php(`do_action('delete_expired_transients')`)
	nonces(2)
	s.sql(`UPDATE wp_options SET option_value = UNIX_TIMESTAMP() - 1 WHERE option_name LIKE '\_transient\_timeout\_calbridge\_%'`)
	s.php(`do_action('delete_expired_transients')`)
	nonces(0)
}
