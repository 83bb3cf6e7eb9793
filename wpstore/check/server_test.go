package check

import (
	"strings"
	"testing"

	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/wptest"
)

func TestJudgeServer(t *testing.T) {
	mysql := dialect.Versions{Oldest: dialect.Version{Major: 5, Minor: 6}, Tested: []dialect.Version{{Major: 5, Minor: 6}, {Major: 9, Minor: 7}}}
	mariadb := dialect.Versions{Oldest: dialect.Version{Major: 10, Minor: 6}, Tested: []dialect.Version{{Major: 10, Minor: 11}, {Major: 11, Minor: 8}}}
	for _, c := range []struct {
		versions      dialect.Versions
		version, says string
		want          Status
	}{
		{mysql, "5.5.62", "5.5.62", StatusWarn},
		{mysql, "5.6.24-log", "on this series", StatusOK},
		{mysql, "5.7.44", "on 5.6 and 9.7, but not on versions between them", StatusOK},
		{mysql, "8.0.36-0ubuntu0.22.04.1", "on 5.6 and 9.7, but not on versions between them", StatusOK},
		{mysql, "8.0.mysql_aurora.3.04.0", "on 5.6 and 9.7, but not on versions between them", StatusOK},
		{mysql, "9.7.4-2", "on this series", StatusOK},
		{mysql, "10.0.0", "the newest that calbridge is tested on is 9.7", StatusOK},
		{mariadb, "10.3.39-MariaDB", "10.3.39", StatusWarn},
		{mariadb, "10.6.18-MariaDB-log", "the oldest that calbridge is tested on is 10.11", StatusOK},
		{mariadb, "10.11.6-MariaDB", "on this series", StatusOK},
		{mariadb, "11.4.2-MariaDB", "on 10.11 and 11.8", StatusOK},
		{mariadb, "12.0.2-MariaDB", "the newest that calbridge is tested on is 11.8", StatusOK},
		{dialect.Versions{}, "3.46.0", "3.46.0", StatusWarn},
	} {
		var r Report
		r.judgeServer("x", c.version, c.versions)
		if len(r) != 1 || r[0].Status != c.want || !strings.Contains(r[0].Found, c.says) || (r[0].Advice != "") != (c.want == StatusWarn) {
			t.Errorf("%s: %+v, want %q", c.version, r, c.says)
		}
	}
}

// TestServerIsTested holds what the check says against the servers that tests run on.
func TestServerIsTested(t *testing.T) {
	r := checked(t, open(t, sqlconn.Config{Database: wptest.Address(t, wptest.Site(t, "mariadb", "mono").DSN)}, "wp_"))
	if f := finding(t, r, "database.server"); !strings.Contains(f.Found, "tested on this series") {
		t.Errorf("%+v", f)
	}
}

func TestJudgeBinaryLog(t *testing.T) {
	for _, c := range []struct {
		on, format string
		want       Status
	}{
		{"0", "STATEMENT", StatusOK},
		{"OFF", "STATEMENT", StatusOK},
		{"1", "ROW", StatusOK},
		{"ON", "MIXED", StatusOK},
		{"1", "STATEMENT", StatusWarn},
		{"ON", "statement", StatusWarn},
	} {
		var r Report
		r.judgeBinaryLog(c.on, c.format)
		if len(r) != 1 || r[0].Status != c.want || (r[0].Advice != "") != (c.want == StatusWarn) {
			t.Errorf("log_bin %s, binlog_format %s: %+v", c.on, c.format, r)
		}
	}
}

func TestJudgeCollation(t *testing.T) {
	for _, c := range []struct {
		configured, used string
		warns            bool
	}{
		{"", "utf8mb4_general_ci", false},
		{"utf8mb4_czech_ci", "utf8mb4_czech_ci", false},
		{"utf8mb4_CZECH_ci", "utf8mb4_czech_ci", false},
		{"utf8mb3_bin", "utf8_bin", false},
		{"utf8_bin", "utf8mb3_bin", false},
		{"utf8mb4_0900_ai_ci", "utf8mb4_general_ci", true},
	} {
		t.Run(c.configured+" "+c.used, func(t *testing.T) {
			var r Report
			r.judgeCollation(c.configured, c.used)
			if (len(r) == 1 && r[0].Status == StatusWarn && strings.Contains(r[0].Found, c.used)) != c.warns {
				t.Errorf("%+v", r)
			}
		})
	}
}
