package check

import (
	"context"
	"fmt"
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed"
)

// Feed checks whether the binary log can be followed. It reports nothing for the embedded
// engine, which has no log, and returns an error if the database can't be queried.
func Feed(ctx context.Context, site Site) (Report, error) {
	const name = "database.change-feed"
	const within = 5 * time.Second
	const without = "calbridge works without it, but notices changes by other programs later."
	const administrator = without + "\nAs an administrator of the server run:\n"
	servers := site.Servers
	var r Report
	if servers.Dialect().Embedded() {
		return r, nil
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	found, err := changefeed.Inspect(ctx, servers, site.Tables, site.Hub)
	if err != nil {
		return r, err
	}
	user := quoteAccount(found.Account)
	privilege, options := servers.Dialect().FeedAdvice()
	switch {
	case found.Followed:
		r.ok(name, "is followed")
	case found.Denied:
		r.warn(name, administrator+"GRANT REPLICATION SLAVE, "+privilege+" ON *.* TO "+user+";", "%s may not read it", user)
	case found.NoLog:
		r.warn(name, without+"\n"+logAdvice(found.Host, binlog.Flavor(servers.Dialect().Engine()), options), "the server writes no binary log (log_bin is off)")
	case found.Err != nil:
		r.warn(name, without, "cannot be followed: %v", found.Err)
	case found.NoGTIDs:
		r.warn(name, without+"\n"+gtidAdvice(found.Host), "cannot be followed: %s", found.Obstacle)
	case found.Obstacle != "":
		r.warn(name, without, "cannot be followed: %s", found.Obstacle)
	case found.Unreadable != nil:
		r.warn(name, administrator+fmt.Sprintf("GRANT SELECT ON `%s`.* TO %s;", servers.Feed().Config().DBName, user), "%s may read the log, but not the site's tables: %v", user, found.Unreadable)
	default:
		r.ok(name, "can be followed")
		r.coarseLog(found)
	}
	return r, nil
}

// logAdvice describes how to make a server write a binary log.
func logAdvice(host changefeed.Host, flavor binlog.Flavor, options string) string {
	gtids := ""
	if flavor == binlog.MySQL {
		gtids = ", gtid-mode=ON, enforce_gtid_consistency=ON"
	}
	switch host {
	case changefeed.Aurora:
		return "In the DB cluster parameter group: binlog_format=ROW" + gtids + "; reboot the writer. " + retention
	case changefeed.RDS:
		return "Switch automated backups on, which switches the log on, and set in the DB parameter group: binlog_format=ROW" + gtids + ". " + retention
	}
	return "In the server's configuration: log_bin=binlog, binlog_format=ROW, and a server_id; " + options
}

// retention is for Amazon's servers, which by default delete their logs as soon as they can.
const retention = "So that the log outlives a lost connection: CALL mysql.rds_set_configuration('binlog retention hours', 24);"

// gtidAdvice describes how to switch on GTIDs in MySQL.
func gtidAdvice(host changefeed.Host) string {
	switch host {
	case changefeed.Aurora:
		return "In the DB cluster parameter group: gtid-mode=ON, enforce_gtid_consistency=ON; reboot the writer. " + retention
	case changefeed.RDS:
		return "In the DB parameter group: gtid-mode=ON, enforce_gtid_consistency=ON; reboot the server. " + retention
	}
	return "Without a restart, as an administrator of the server, and gtid_mode=ON and enforce_gtid_consistency=ON in its configuration:\n" +
		"SET GLOBAL enforce_gtid_consistency = ON;\nSET GLOBAL gtid_mode = OFF_PERMISSIVE;\nSET GLOBAL gtid_mode = ON_PERMISSIVE;\nSET GLOBAL gtid_mode = ON;"
}

// coarseLog warns if the log doesn't name each row and column that matters.
func (r *Report) coarseLog(found changefeed.Inspection) {
	const name = "database.change-feed-detail"
	if found.Format != "ROW" {
		r.warn(name, "Set binlog_format=ROW for all connections: otherwise most changes invalidate the whole cache.", "binlog_format=%s instead of ROW", found.Format)
	}
	if found.RowImage == "MINIMAL" {
		r.warn(name, "Set binlog_row_image=FULL or NOBLOB for all connections: otherwise deletions of metadata, terms and dates of events invalidate the whole cache, and updates take a query.",
			"binlog_row_image=MINIMAL instead of FULL")
	}
}
