package sites

import (
	"log/slog"
	"testing"
	"time"

	"calbridge/rest/metrics"
)

// TestRenewLoaded checks that settings that were reread change the number of sites in memory, and that
// settings that were refused don't.
func TestRenewLoaded(t *testing.T) {
	m := metrics.New(metrics.Build{}, metrics.Values{})
	source := listed(t, "[first]\naddress = https://first.example\n")
	set := start(Config{Source: source, Metrics: m, Logger: slog.New(slog.DiscardHandler), Now: time.Now}, newConnections(slog.New(slog.DiscardHandler), m, false), 100)
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, c := range []struct {
		name    string
		args    []string
		refused bool
		want    int64
	}{
		{"fewer", []string{"--sites-loaded", "7"}, false, 7},
		{"refused", []string{"--sites-loaded", "8", "--webhooks", "https://hooks.example/"}, true, 7},
		{"the default", nil, false, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := set.Renew(t.Context(), readSettings(t, append(c.args, "--dsn", "sqlite:a.db")...))
			if (err != nil) != c.refused || set.loaded.Load() != c.want {
				t.Errorf("%v, %d sites in memory, want %d", err, set.loaded.Load(), c.want)
			}
		})
	}
}
