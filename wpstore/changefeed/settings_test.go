package changefeed

import (
	"maps"
	"strings"
	"testing"

	"calbridge/wpstore/binlog"
)

func TestObstacles(t *testing.T) {
	for _, test := range []struct {
		flavor   binlog.Flavor
		version  string
		settings map[string]string
		want     string // part of it
	}{
		{binlog.MariaDB, "10.11.6-MariaDB", nil, ""},
		{binlog.MariaDB, "10.11.6-MariaDB", map[string]string{"binlog_optimize_thread_scheduling": "OFF"}, "thread_scheduling"},
		{binlog.MariaDB, "12.3.1-MariaDB", map[string]string{"binlog_storage_engine": "INNODB"}, "binlog_storage_engine"},
		{binlog.MariaDB, "12.3.1-MariaDB", map[string]string{"binlog_storage_engine": ""}, ""},
		{binlog.MySQL, "8.4.3", map[string]string{"gtid_mode": "ON"}, ""},
		{binlog.MySQL, "5.7.44", map[string]string{"gtid_mode": "ON"}, ""},
		{binlog.MySQL, "8.0.36", map[string]string{"gtid_mode": "OFF", "log_bin": "ON"}, "gtid_mode=ON"},
		{binlog.MySQL, "5.6.24", map[string]string{"gtid_mode": "ON"}, "before 5.7"},
		{binlog.MySQL, "5.6.24", map[string]string{"log_bin": "OFF"}, ""}, // that is said otherwise
	} {
		settings := Settings{"version": test.version}
		maps.Copy(settings, test.settings)
		got := settings.Obstacle(test.flavor)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s %s: %q, want %q", test.flavor, test.version, got, test.want)
		}
	}
}
