package site

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/cmd/calbridge/companion"
)

// TestNoticesSent checks that only WordPress's own statement counts as a denial.
func TestNoticesSent(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		none   bool // WordPress denies sending notices
		failed bool
	}{
		"numbered":              {200, `{"companion":"3","sends_notices":true,"sequence":"7.0123456789abcdef0123456789abcdef"}`, false, false},
		"an older plugin":       {200, `{"companion":"2","sends_notices":true}`, true, true},
		"no CALBRIDGE_URL":      {200, `{"companion":"3","sends_notices":false,"sequence":""}`, true, true},
		"no plugin":             {404, `{"code":"rest_no_route"}`, true, true},
		"refused":               {401, `{"companion":"3","error":"the clocks differ too much"}`, false, true},
		"a server in front":     {502, `<h1>Bad Gateway</h1>`, false, true},
		"WordPress is updating": {503, ``, false, true},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.RawQuery, "/notice") {
				_, _ = io.WriteString(w, `{"companion":"3"}`)
				return
			}
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}))
		client, err := companion.Open(companion.Config{URL: server.URL + "/", Secret: strings.Repeat("s", 40)}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		err = noticesSent(client)(t.Context())
		if (err != nil) != c.failed || errors.Is(err, cachesync.ErrSendsNone) != c.none {
			t.Errorf("%s: %v", name, err)
		}
		_ = client.Close()
		server.Close()
	}
	if noticesSent(nil) != nil {
		t.Error("somebody is asked without a companion")
	}
}
