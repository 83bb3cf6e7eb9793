package check

import (
	"context"
	"fmt"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/sqlconn"
)

// Feed tries whether the binary log can be followed. It reports nothing for the embedded
// engine, which has no log, and returns an error if the database can't be queried.
func Feed(ctx context.Context, servers *sqlconn.Servers) (Report, error) {
	const name = "database.change-feed"
	const within = 5 * time.Second
	const without = "calbridge works without it, but notices changes by others later."
	var r Report
	if servers.Dialect().Embedded() {
		return r, nil
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	user, err := sqlconn.NewRunner(servers, nil).Text(ctx, "check.account", sq.Select("CURRENT_USER()"))
	if err != nil {
		return r, err
	}
	found, err := changefeed.Inspect(ctx, servers, servers.DriverConfig())
	if err != nil {
		return r, err
	}
	privilege, options := servers.Dialect().FeedAdvice()
	user = quoteAccount(user)
	switch {
	case found.Denied:
		r.warn(name, without+"\nAs an administrator of the server run:\nGRANT REPLICATION SLAVE, "+privilege+" ON *.* TO "+user+";", "%s may not read it", user)
		return r, nil
	case found.NoLog:
		r.warn(name, without+"\nIn the server's configuration: log_bin=binlog, binlog_format=ROW, and a server_id; "+options, "the server writes none (log_bin is off)")
		return r, nil
	case found.Err != nil:
		r.warn(name, without, "cannot be followed: %v", found.Err)
		return r, nil
	case found.Obstacle != "":
		r.warn(name, without, "cannot be followed: %s", found.Obstacle)
		return r, nil
	}
	r.ok(name, "can be followed")
	var coarse []string
	if found.Format != "ROW" {
		coarse = append(coarse, fmt.Sprintf("binlog_format=%s instead of ROW", found.Format))
	}
	if found.RowImage != "FULL" {
		coarse = append(coarse, fmt.Sprintf("binlog_row_image=%s instead of FULL", found.RowImage))
	}
	if len(coarse) > 0 {
		r.warn(name+"-detail", "Set these for all connections: otherwise every change invalidates the whole cache.", "%s", strings.Join(coarse, ", "))
	}
	return r, nil
}
