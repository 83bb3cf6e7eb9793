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

// Feed looks whether the binary log could be followed, by trying it. The error is for
// a database that could not be asked. The embedded engine has no log, and nothing is
// reported.
func Feed(ctx context.Context, servers *sqlconn.Servers) (Report, error) {
	const name = "database.change-feed"
	const within = 5 * time.Second
	const without = "calbridge works without it; changes by others are then noticed later."
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
		r.warn(name, without+"\nIn the server's configuration: log_bin=binlog, binlog_format=ROW, and a server_id; "+options, "the server keeps none (log_bin is off)")
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
	for _, setting := range [][3]string{{"binlog_format", found.Format, "ROW"}, {"binlog_row_image", found.RowImage, "FULL"}} {
		if setting[1] != setting[2] {
			coarse = append(coarse, fmt.Sprintf("%s=%s instead of %s", setting[0], setting[1], setting[2]))
		}
	}
	if len(coarse) > 0 {
		r.warn(name+"-detail", "Set them so, for all connections: otherwise a change counts as a change of everything.", "%s", strings.Join(coarse, ", "))
	}
	return r, nil
}
