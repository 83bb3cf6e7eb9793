package check

import (
	"context"
	"database/sql"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore/schema"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// statuses shortens a report to name and status.
func statuses(r Report) map[string]Status {
	out := map[string]Status{}
	for _, f := range r {
		out[f.Name] = f.Status
	}
	return out
}

func checked(t *testing.T, site *testSite) Report {
	t.Helper()
	r, _, err := Schema(context.Background(), site.Site)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func finding(t *testing.T, r Report, name string) Finding {
	t.Helper()
	for _, f := range r {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no finding %s in %+v", name, r)
	return Finding{}
}

func TestCheckRealSite(t *testing.T) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			site := wptest.Site(t, engine, "mono")
			r := checked(t, open(t, sqlconn.Config{Database: wptest.Address(t, site.DSN)}, site.TablePrefix))
			want := map[string]Status{
				"database.server": StatusOK, "database.session": StatusOK, "database.binlog-format": StatusOK, "database.grants": StatusWarn, "database.engines": StatusOK, "database.charset": StatusOK,
				"database.tables": StatusOK, "database.columns": StatusOK, "wordpress.address": StatusOK,
				"calendar.plugin": StatusOK, "calendar.occurrences": StatusOK,
			}
			if engine == "sqlite" {
				want["database.server"] = StatusWarn
				delete(want, "database.session")
				delete(want, "database.binlog-format")
				delete(want, "database.grants")
				delete(want, "database.engines")
				delete(want, "database.charset")
			}
			if diff := cmp.Diff(want, statuses(r)); diff != "" {
				t.Errorf("%s\n%+v", diff, r)
			}
			if r.Worst() != StatusWarn {
				t.Errorf("worst is %s", r.Worst())
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCheckWrongPrefix(t *testing.T) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			site := wptest.Site(t, engine, "poly")
			r := checked(t, open(t, sqlconn.Config{Database: wptest.Address(t, site.DSN)}, "wp_"))
			f := finding(t, r, "database.tables")
			if f.Status != StatusFail || !strings.Contains(f.Found, "wp_posts") || !strings.Contains(f.Advice, "prefix pl_:") {
				t.Errorf("%+v", f)
			}
		})
	}
	empty := checked(t, open(t, sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}, "wp_"))
	if f := finding(t, empty, "database.tables"); f.Status != StatusFail || !strings.Contains(f.Advice, "No tables of WordPress") {
		t.Errorf("%+v", f)
	}
}

func TestCheckDamagedSite(t *testing.T) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			site := wptest.SiteCopy(t, engine, "mono")
			db := open(t, sqlconn.Config{Database: wptest.Address(t, site.DSN)}, site.TablePrefix)
			for _, statement := range []string{
				"ALTER TABLE wp_term_taxonomy DROP COLUMN description",
				"DROP TABLE wp_tec_occurrences",
				"UPDATE wp_options SET option_value = 'a:1:{broken' WHERE option_name IN ('tribe_events_calendar_options', 'active_plugins')",
				"DELETE FROM wp_options WHERE option_name = 'home'",
			} {
				if _, err := db.Servers.SQL().Exec(statement); err != nil {
					t.Fatalf("%s: %v", statement, err)
				}
			}
			r := checked(t, db)
			if f := finding(t, r, "database.columns"); f.Status != StatusFail || f.Found != "missing: wp_term_taxonomy.description" {
				t.Errorf("%+v", f)
			}
			for _, name := range []string{"calendar.plugin", "calendar.occurrences", "wordpress.address"} {
				if f := finding(t, r, name); f.Status != StatusWarn || f.Advice == "" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// TestCheckEngines: the advice, followed to the letter, gives all tables transactions.
func TestCheckEngines(t *testing.T) {
	site := wptest.SiteCopy(t, "mariadb", "mono")
	db := open(t, sqlconn.Config{Database: wptest.Address(t, site.DSN)}, site.TablePrefix)
	run := func(statement string) {
		t.Helper()
		if _, err := db.Servers.SQL().Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	run("ALTER TABLE wp_posts ENGINE=MyISAM")
	other := "Aria"
	if wptest.IsMySQL(t) {
		other = "MyISAM"
	}
	run("ALTER TABLE wp_options ENGINE=" + other)
	f := finding(t, checked(t, db), "database.engines")
	alter := regexp.MustCompile(`(?m)^ALTER TABLE .*;$`).FindAllString(f.Advice, -1)
	if f.Status != StatusWarn || len(alter) != 2 || !strings.Contains(f.Found, "wp_posts, wp_options") || !strings.Contains(f.Advice, "--write-without-transactions") {
		t.Errorf("%+v", f)
	}
	reading := open(t, sqlconn.Config{Database: wptest.Address(t, site.DSN), ReadOnly: true}, site.TablePrefix)
	if _, warned := statuses(checked(t, reading))["database.engines"]; warned {
		t.Error("a server that only reads is warned")
	}
	for _, statement := range alter {
		run(statement)
	}
	if f := finding(t, checked(t, db), "database.engines"); f.Status != StatusOK {
		t.Errorf("after the statements: %+v", f)
	}
}

// TestCheckCharsets: columns of latin1 are read right over connections of latin1, and for
// another character set the owner has to say what WordPress uses.
func TestCheckCharsets(t *testing.T) {
	site := wptest.SiteCopy(t, "mariadb", "mono")
	db := open(t, sqlconn.Config{Database: wptest.Address(t, site.DSN)}, site.TablePrefix)
	convert := func(to string, tables ...string) {
		t.Helper()
		for _, table := range tables {
			if _, err := db.Servers.SQL().Exec("ALTER TABLE " + table + " CONVERT TO CHARACTER SET " + to); err != nil {
				t.Fatal(err)
			}
		}
	}
	convert("utf8mb3", "wp_posts")
	if f := finding(t, checked(t, db), "database.charset"); f.Status != StatusOK || f.Found != "connections use utf8mb4, columns use utf8mb3" {
		t.Errorf("%+v", f)
	}
	convert("latin1", "wp_comments")
	if f := finding(t, checked(t, db), "database.charset"); f.Status != StatusWarn {
		t.Errorf("no text that is shown: %+v", f)
	}
	convert("latin1", "wp_terms")
	if f := finding(t, checked(t, db), "database.charset"); f.Status != StatusFail || !strings.Contains(f.Found, "wp_terms.name (latin1)") || !strings.Contains(f.Advice, "--define DB_CHARSET") {
		t.Errorf("%+v", f)
	}
	for charset, want := range map[string]Status{"utf8": StatusWarn, "latin1": StatusOK, "cp1250": StatusWarn} {
		r := checked(t, open(t, sqlconn.Config{Database: wptest.Address(t, site.DSN), Charset: charset}, site.TablePrefix))
		if f := finding(t, r, "database.charset"); f.Status != want {
			t.Errorf("%s: %+v", charset, f)
		}
		if f := finding(t, r, "database.session"); f.Status != StatusOK {
			t.Errorf("%s: %+v", charset, f)
		}
	}
}

func TestCheckGrants(t *testing.T) {
	admin, err := mysql.ParseDSN(wptest.MariaDBWithUsers(t))
	if err != nil {
		t.Fatal(err)
	}
	root := open(t, sqlconn.Config{Database: wptest.Address(t, admin.FormatDSN())}, "wp_")
	if err := schema.Create(context.Background(), root.run, root.Servers.Dialect(), root.Tables.Plain, schema.Tables()); err != nil {
		t.Fatal(err)
	}
	run := func(statement string) {
		t.Helper()
		if _, err := root.Servers.SQL().Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if f := finding(t, checked(t, root), "database.grants"); f.Status != StatusOK || !strings.Contains(f.Found, "may also INSERT, UPDATE, DELETE, DROP") {
		t.Errorf("as root: %+v", f)
	}
	run("CREATE USER 'reader'@'localhost' IDENTIFIED BY 'pass'")
	t.Cleanup(func() { root.Servers.SQL().Exec("DROP USER 'reader'@'localhost'") })
	run("GRANT SELECT ON `" + admin.DBName + "`.wp_options TO 'reader'@'localhost'")
	run("GRANT SELECT (ID) ON `" + admin.DBName + "`.wp_users TO 'reader'@'localhost'")
	cfg := admin.Clone()
	cfg.User, cfg.Passwd = "reader", "pass"
	reader := open(t, sqlconn.Config{Database: wptest.Address(t, cfg.FormatDSN())}, "wp_")
	f := finding(t, checked(t, reader), "database.grants")
	if f.Status != StatusFail || !strings.Contains(f.Found, "wp_posts") || !strings.Contains(f.Found, "wp_users") || strings.Contains(f.Found, "wp_options") {
		t.Errorf("a user with too little: %+v", f)
	}
	// The advice, followed to the letter, is enough.
	for _, statement := range regexp.MustCompile(`(?m)^GRANT .*;$`).FindAllString(f.Advice, -1) {
		run(statement)
	}
	r := checked(t, reader)
	writes := finding(t, r, "database.writes")
	if writes.Status != StatusWarn || !strings.Contains(writes.Advice, "--read-only") {
		t.Errorf("writes of a reader: %+v", writes)
	}
	if f := finding(t, r, "database.grants"); f.Status != StatusOK || strings.Contains(f.Found, "may also") {
		t.Errorf("after the grants: %+v", f)
	}
	if f := finding(t, r, "database.tables"); f.Status != StatusOK {
		t.Errorf("after the grants: %+v", f)
	}
	if tables, err := reader.Options.Existing(context.Background(), "tec_events", "tec_occurrences"); err != nil || len(tables) != 2 {
		t.Errorf("the calendar's tables are not visible: %v, %v", tables, err)
	}
	reading := open(t, sqlconn.Config{Database: wptest.Address(t, cfg.FormatDSN()), ReadOnly: true}, "wp_")
	if f := finding(t, checked(t, reading), "database.writes"); f.Status != StatusOK {
		t.Errorf("a reader that is to read only: %+v", f)
	}
	if err := reader.Servers.SQL().QueryRow("SELECT 1 FROM wp_comments").Scan(new(sql.NullInt64)); err == nil {
		t.Error("the reader may read what it need not")
	} else if err := reader.Servers.Explain(context.Background(), "test", err); !strings.Contains(err.Error(), "GRANT") {
		t.Error(err)
	}
	for _, statement := range regexp.MustCompile(`(?m)^GRANT .*;$`).FindAllString(writes.Advice, -1) {
		run(statement)
	}
	if f := finding(t, checked(t, reader), "database.writes"); f.Status != StatusOK {
		t.Errorf("after the grants for writing: %+v", f)
	}
	// A write also changes the row of its site in a network.
	run("CREATE TABLE `" + admin.DBName + "`.wp_blogs (blog_id BIGINT PRIMARY KEY, last_updated DATETIME)")
	run("GRANT SELECT ON `" + admin.DBName + "`.wp_blogs TO 'reader'@'localhost'")
	writes = finding(t, checked(t, reader), "database.writes")
	if writes.Status != StatusWarn || !strings.Contains(writes.Found, "wp_blogs") {
		t.Errorf("writes of a reader in a network: %+v", writes)
	}
	for _, statement := range regexp.MustCompile(`(?m)^GRANT .*;$`).FindAllString(writes.Advice, -1) {
		run(statement)
	}
	if f := finding(t, checked(t, reader), "database.writes"); f.Status != StatusOK {
		t.Errorf("after the grants for writing in a network: %+v", f)
	}
}

func TestParseGrant(t *testing.T) {
	for _, c := range []struct {
		line            string
		database, table string
		want            bool
	}{
		{"GRANT SELECT ON *.* TO `u`@`h`", "wp", "wp_posts", true},
		{"GRANT USAGE ON *.* TO `u`@`h`", "wp", "wp_posts", false},
		{"GRANT ALL PRIVILEGES ON `wp`.* TO 'u'@'h' WITH GRANT OPTION", "wp", "wp_posts", true},
		{"GRANT ALL PRIVILEGES ON `wp\\_x`.* TO 'u'@'h'", "wp_x", "wp_posts", true},
		{"GRANT ALL PRIVILEGES ON `wp\\_x`.* TO 'u'@'h'", "wpax", "wp_posts", false},
		{"GRANT ALL PRIVILEGES ON `wp_%`.* TO 'u'@'h'", "wpax", "wp_posts", true},
		{"GRANT INSERT, SELECT, UPDATE ON `wp`.`wp_posts` TO `u`@`h`", "wp", "wp_posts", true},
		{"GRANT INSERT, SELECT, UPDATE ON `wp`.`wp_posts` TO `u`@`h`", "wp", "wp_options", false},
		{"GRANT SELECT (`ID`, `post_title`) ON `wp`.`wp_posts` TO `u`@`h`", "wp", "wp_posts", false},
		{"GRANT EXECUTE ON PROCEDURE `wp`.`p` TO `u`@`h`", "wp", "p", false},
		{"GRANT `role`@`%` TO `u`@`h`", "wp", "wp_posts", false},
		{"GRANT PROXY ON ``@`` TO `root`@`localhost` WITH GRANT OPTION", "wp", "wp_posts", false},
		{"", "wp", "wp_posts", false},
	} {
		g, _ := parseGrant(c.line)
		if got := (&account{c.database, "", []grant{g}}).may(c.table, "SELECT"); got != c.want {
			t.Errorf("%s: reading %s.%s is %v", c.line, c.database, c.table, got)
		}
	}
	if got := quoteAccount("o'brien@10.0.0.%"); got != "'o''brien'@'10.0.0.%'" {
		t.Error(got)
	}
}

func TestVersionNumbers(t *testing.T) {
	for version, want := range map[string][2]int{
		"10.11.19-MariaDB-0+deb12u1": {10, 11}, "8.0.36": {8, 0}, "8.4": {8, 4}, "11": {11, 0}, "": {0, 0}, "x": {0, 0},
	} {
		if v := versionNumbers(version); v.Major != want[0] || v.Minor != want[1] {
			t.Errorf("%s: %s", version, v)
		}
	}
}
