package check

import (
	"strings"
	"testing"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// TestCheckFeedWithoutGTIDs takes the advice on a MySQL without GTIDs, the default, which must
// be enough.
func TestCheckFeedWithoutGTIDs(t *testing.T) {
	if usual := open(t, sqlconn.Config{Database: wptest.Address(t, wptest.MariaDB(t))}, "wp_"); usual.Servers.Dialect().Engine() == "mariadb" {
		t.Log("MariaDB has GTIDs always: .ci/engines has a MySQL")
		return
	}
	db := open(t, sqlconn.Config{Database: wptest.Address(t, wptest.Replicated(t, "--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"))}, "wp_")
	createTables(t, db)
	found := checkFeed(t, db)
	if found.Status != StatusWarn || !strings.Contains(found.Found, "gtid_mode is not ON") || strings.Contains(found.Found, "1236") {
		t.Fatalf("%+v", found)
	}
	_, statements, _ := strings.Cut(found.Advice, "its configuration:\n")
	for statement := range strings.SplitSeq(statements, "\n") {
		if _, err := db.Servers.SQL().Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if found := checkFeed(t, db); found.Status != StatusOK {
		t.Errorf("with GTIDs: %+v", found)
	}
}

// TestFeedAdviceOfAmazon: where no configuration file can be edited, the advice names
// parameter groups and how long the log has to stay.
func TestFeedAdviceOfAmazon(t *testing.T) {
	for _, test := range []struct {
		flavor binlog.Flavor
		host   changefeed.Host
		want   []string
	}{
		{binlog.MySQL, changefeed.Aurora, []string{"DB cluster parameter group", "gtid-mode=ON", "binlog retention hours"}},
		{binlog.MySQL, changefeed.RDS, []string{"automated backups", "DB parameter group", "gtid-mode=ON", "binlog retention hours"}},
		{binlog.MariaDB, changefeed.RDS, []string{"DB parameter group: binlog_format=ROW. ", "binlog retention hours"}},
	} {
		advice := logAdvice(test.host, test.flavor, "")
		for _, want := range test.want {
			if !strings.Contains(advice, want) {
				t.Errorf("%s: %q lacks %q", test.host, advice, want)
			}
		}
	}
	if got := gtidAdvice(changefeed.Aurora); !strings.Contains(got, "DB cluster parameter group") || strings.Contains(got, "SET GLOBAL") {
		t.Error(got)
	}
}
