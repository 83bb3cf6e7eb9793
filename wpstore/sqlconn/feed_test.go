package sqlconn

import (
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
)

func TestFeedConfig(t *testing.T) {
	primary := &mysql.Config{User: "site", Addr: "proxy:6033", DBName: "wordpress"}
	for dsn, want := range map[string]string{
		"":                                     "site@proxy:6033/wordpress",
		"feed:x@tcp(db:3306)/":                 "feed@db:3306/wordpress",
		"feed:x@tcp(db:3306)/wordpress":        "feed@db:3306/wordpress",
		"feed:secret@tcp(db:3306)/other":       `its database is "other", and that of the site "wordpress"`,
		"feed:secret@tcp(db:3306":              "invalid DSN",
		"feed:secret@udp(db:3306)/":            `the network "udp"`,
		"feed:secret@tcp(db)/?serverPubKey=/x": "serverPubKey: open /x",
	} {
		f, err := feedServer((&Config{}).server(), dsn, primary)
		if err != nil {
			if !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v, want %s", dsn, err, want)
			}
			continue
		}
		cfg := f.Config()
		if got := cfg.User + "@" + cfg.Addr + "/" + cfg.DBName; got != want {
			t.Errorf("%s: %s, want %s", dsn, got, want)
		}
	}
}

// TestNoFeedOfEmbedded: the embedded engine has no log to follow at another address.
func TestNoFeedOfEmbedded(t *testing.T) {
	s, err := Open(t.Context(), Config{DSN: "sqlite::memory:", FeedDSN: "feed:x@tcp(db)/"}, nil)
	if err == nil {
		s.Close()
		t.Error("opened")
	}
}
