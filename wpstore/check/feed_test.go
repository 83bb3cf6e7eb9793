package check

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/schema"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// checkFeed returns the last finding: the only one, or that on how finely the log
// names what has changed.
func checkFeed(t *testing.T, site *testSite) Finding {
	t.Helper()
	r, err := Feed(t.Context(), site.Site)
	if err != nil || len(r) == 0 || len(r) > 1 && r[0].Status != StatusOK {
		t.Fatalf("%+v, %v", r, err)
	}
	return r[len(r)-1]
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not %s within two minutes", what)
		}
	}
}

func createTables(t *testing.T, site *testSite) {
	t.Helper()
	if err := schema.Create(t.Context(), site.run, site.Servers.Dialect(), site.Tables.Plain, schema.Tables()); err != nil {
		t.Fatal(err)
	}
}

// TestCheckFeedGrants takes the advice of the check, which must be enough.
func TestCheckFeedGrants(t *testing.T) {
	root := wptest.Replicated(t, "--skip-grant-tables=0")
	admin := open(t, sqlconn.Config{Database: wptest.Address(t, root)}, "wp_")
	createTables(t, admin)
	cfg, err := mysql.ParseDSN(root)
	if err != nil {
		t.Fatal(err)
	}
	run := func(statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if _, err := admin.Servers.SQL().Exec(statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	run("CREATE USER 'reader'@'localhost' IDENTIFIED BY 'secret'")
	run(ReadGrants(admin.Tables, cfg.DBName, "'reader'@'localhost'")...)
	cfg.User, cfg.Passwd = "reader", "secret"
	db := open(t, sqlconn.Config{Database: wptest.Address(t, cfg.FormatDSN())}, "wp_")
	found := checkFeed(t, db)
	_, advice, ok := strings.Cut(found.Advice, "run:\n")
	if found.Status != StatusWarn || !ok {
		t.Fatalf("%+v", found)
	}
	run(strings.Split(advice, "\n")...)
	if found := checkFeed(t, db); found.Status != StatusOK {
		t.Fatalf("with these grants: %+v", found)
	}
	tracker := invalidation.NewTracker()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	feed := changefeed.New(changefeed.Config{Servers: db.Servers, Tables: db.Tables})
	go func() { ended <- feed.Follow(ctx, tracker, changefeed.Observer{}) }()
	defer func() { cancel(); <-ended }()
	eventually(t, "following", tracker.Active)
	since := tracker.Generation()
	run("INSERT INTO wp_usermeta (user_id) VALUES (1)")
	eventually(t, "caught up", func() bool { return feed.CatchUp(t.Context()) == nil })
	if tracker.Fresh(since, []invalidation.Tag{{Kind: invalidation.User, ID: 1}}) {
		t.Error("the change was not invalidated")
	}
	db.Hub = changefeed.NewHub(db.Servers)
	if found := checkFeed(t, db); found.Found != "can be followed" {
		t.Errorf("with a hub that doesn't run: %+v", found)
	}
	var running sync.WaitGroup
	running.Go(func() { db.Hub.Run(ctx) })
	defer func() { cancel(); running.Wait() }()
	eventually(t, "followed", db.Hub.Following)
	if found := checkFeed(t, db); found.Found != "is followed" || found.Status != StatusOK {
		t.Errorf("followed by a hub: %+v", found)
	}
}

func TestCheckFeedSettings(t *testing.T) {
	for _, test := range []struct {
		options    string
		want       Status
		says       string
		impossible bool
	}{
		{"", StatusOK, "can be followed", false},
		{"--binlog-format=MIXED", StatusWarn, "binlog_format=MIXED instead of ROW", false},
		{"--binlog-row-image=MINIMAL", StatusWarn, "binlog_row_image=MINIMAL instead of FULL", false},
		{"--binlog-row-image=NOBLOB", StatusOK, "can be followed", false},
		{"--skip-log-bin", StatusWarn, "log_bin", true},
		{"--binlog-do-db=another", StatusWarn, "binlog_do_db", true},
		{"--binlog-optimize-thread-scheduling=0", StatusWarn, "binlog_optimize_thread_scheduling", true},
	} {
		t.Run(test.options, func(t *testing.T) {
			if strings.HasPrefix(test.options, "--binlog-optimize") {
				wptest.ForMariaDB(t, "such option")
			}
			dsn := wptest.Replicated(t, strings.Fields(test.options)...)
			db := open(t, sqlconn.Config{Database: wptest.Address(t, dsn)}, "wp_")
			createTables(t, db)
			if found := checkFeed(t, db); found.Status != test.want || !strings.Contains(found.Found, test.says) {
				t.Errorf("%+v", found)
			}
			if !test.impossible {
				return
			}
			tracker := invalidation.NewTracker()
			ctx, cancel := context.WithCancel(t.Context())
			err := changefeed.New(changefeed.Config{Servers: db.Servers, Tables: db.Tables}).Follow(ctx, tracker, changefeed.Observer{Following: func(following bool, why error) {
				if following || why == nil || !strings.Contains(why.Error(), test.says) {
					t.Errorf("following %v, %v", following, why)
				}
				cancel()
			}})
			if err != nil || tracker.Active() {
				t.Errorf("%v, following %v", err, tracker.Active())
			}
		})
	}
}
