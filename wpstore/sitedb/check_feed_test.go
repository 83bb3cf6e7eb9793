package sitedb_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/coherence"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// checkFeed returns the last finding: the only one, or that on how finely the log
// tells what can be followed.
func checkFeed(t *testing.T, db *sitedb.DB) sitedb.Finding {
	t.Helper()
	r, err := db.CheckFeed(t.Context())
	if err != nil || len(r) == 0 || len(r) > 1 && r[0].Status != sitedb.StatusOK {
		t.Fatalf("%+v, %v", r, err)
	}
	return r[len(r)-1]
}

// TestCheckFeedGrants takes the advice of the check, which must be enough.
func TestCheckFeedGrants(t *testing.T) {
	root := wptest.Replicated(t, "--skip-grant-tables=0")
	admin := newSite(t, "sqlite", func(cfg *sitedb.Config) { cfg.DSN = root })
	cfg, err := mysql.ParseDSN(root)
	if err != nil {
		t.Fatal(err)
	}
	run := func(statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if _, err := admin.SQL().Exec(statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	run("CREATE USER 'reader'@'localhost' IDENTIFIED BY 'secret'")
	run(admin.GrantStatements(cfg.DBName, "'reader'@'localhost'")...)
	cfg.User, cfg.Passwd = "reader", "secret"
	db, err := sitedb.Open(t.Context(), sitedb.Config{DSN: cfg.FormatDSN(), TablePrefix: "wp_"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found := checkFeed(t, db)
	_, advice, ok := strings.Cut(found.Advice, "run:\n")
	if found.Status != sitedb.StatusWarn || !ok {
		t.Fatalf("%+v", found)
	}
	run(strings.Split(advice, "\n")...)
	if found := checkFeed(t, db); found.Status != sitedb.StatusOK {
		t.Fatalf("with these grants: %+v", found)
	}
	ledger := coherence.NewLedger()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- db.Follow(ctx, ledger, sitedb.FollowOptions{}) }()
	defer func() { cancel(); <-ended }()
	f := &follower{fixture: fixture{db, t}, ledger: ledger}
	f.eventually("following", ledger.Following)
	since := ledger.Sequence()
	run("INSERT INTO wp_usermeta (user_id) VALUES (1)")
	f.caughtUp()
	if ledger.Fresh(since, []coherence.Tag{{Kind: coherence.User, ID: 1}}) {
		t.Error("the change was not heard of")
	}
}

func TestCheckFeedSettings(t *testing.T) {
	for _, test := range []struct {
		options    string
		want       sitedb.Status
		says       string
		impossible bool
	}{
		{"", sitedb.StatusOK, "can be followed", false},
		{"--binlog-format=MIXED --binlog-row-image=MINIMAL", sitedb.StatusWarn, "binlog_format=MIXED instead of ROW, binlog_row_image=MINIMAL instead of FULL", false},
		{"--skip-log-bin", sitedb.StatusWarn, "log_bin", true},
		{"--binlog-do-db=another", sitedb.StatusWarn, "binlog_do_db", true},
		{"--binlog-optimize-thread-scheduling=0", sitedb.StatusWarn, "binlog_optimize_thread_scheduling", true},
	} {
		t.Run(test.options, func(t *testing.T) {
			dsn := wptest.Replicated(t, strings.Fields(test.options)...)
			db := newSite(t, "sqlite", func(cfg *sitedb.Config) { cfg.DSN = dsn })
			if found := checkFeed(t, db.DB); found.Status != test.want || !strings.Contains(found.Found, test.says) {
				t.Errorf("%+v", found)
			}
			if !test.impossible {
				return
			}
			ledger := coherence.NewLedger()
			ctx, cancel := context.WithCancel(t.Context())
			err := db.Follow(ctx, ledger, sitedb.FollowOptions{Following: func(following bool, why error) {
				if following || why == nil || !strings.Contains(why.Error(), test.says) {
					t.Errorf("following %v, %v", following, why)
				}
				cancel()
			}})
			if err != nil || ledger.Following() {
				t.Errorf("%v, following %v", err, ledger.Following())
			}
		})
	}
}
