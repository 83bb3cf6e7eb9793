package sqlconn

import (
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/wptest"
)

func TestFeedConfig(t *testing.T) {
	primary := &mysql.Config{User: "site", Addr: "proxy:6033", DBName: "wordpress"}
	for _, c := range []struct{ dsn, want string }{
		{"", "site@proxy:6033/wordpress"},
		{"feed:x@tcp(db:3306)/", "feed@db:3306/wordpress"},
		{"feed:x@tcp(db:3306)/wordpress", "feed@db:3306/wordpress"},
		{"feed:secret@tcp(db:3306)/other", `its database is "other", and that of the site "wordpress"`},
	} {
		t.Run(c.dsn, func(t *testing.T) {
			f, err := feedServer((&Config{}).server(), wptest.Server(t, c.dsn), primary)
			if err != nil {
				if !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
					t.Errorf("%v, want %s", err, c.want)
				}
				return
			}
			cfg := f.Config()
			if got := cfg.User + "@" + cfg.Addr + "/" + cfg.DBName; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestNoFeedOfEmbedded checks that the embedded engine has no log to follow at another address.
func TestNoFeedOfEmbedded(t *testing.T) {
	s, err := Open(t.Context(), Config{Database: wptest.Address(t, "sqlite::memory:"), Feed: wptest.Server(t, "feed:x@tcp(db)/")}, nil)
	if err == nil {
		s.Close()
		t.Error("opened")
	}
}
