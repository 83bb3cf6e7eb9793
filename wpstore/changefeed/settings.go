package changefeed

import (
	"fmt"

	"calbridge/wpstore/binlog"
)

// Settings are the settings of a server and its log, by name. Settings that the server
// doesn't have are absent. The values are in upper case.
type Settings map[string]string

// NoGTIDs is the obstacle of a MySQL server without GTIDs. It shows only the position in
// its log, which moves before the rows can be read.
const NoGTIDs = "gtid_mode is not ON, and MySQL reports only by GTIDs which transactions can be read; set gtid_mode=ON and enforce_gtid_consistency=ON"

// Obstacle returns why the log of a server with these settings can't be followed, or
// doesn't show when changes can be read; "" if there is no obstacle, or no log.
func (s Settings) Obstacle(flavor binlog.Flavor) string {
	var major, minor int
	_, _ = fmt.Sscanf(s["version"], "%d.%d", &major, &minor) // missing settings count as 0
	isMySQL := flavor == binlog.MySQL
	switch {
	case s["log_bin"] == "OFF":
		return ""
	case isMySQL && (major < 5 || major == 5 && minor < 7):
		return "MySQL before 5.7 does not report when a transaction can be read"
	case isMySQL && s["gtid_mode"] != "ON":
		return NoGTIDs
	case s["binlog_optimize_thread_scheduling"] == "OFF":
		return "with binlog_optimize_thread_scheduling=OFF the server does not report when a transaction can be read"
	case s["binlog_storage_engine"] != "":
		return "with binlog_storage_engine the positions in the log are not known to grow as those of files do"
	}
	return ""
}
