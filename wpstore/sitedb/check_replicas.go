package sitedb

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	sq "github.com/Masterminds/squirrel"
)

// CheckReplicas looks at each replica once: whether it answers, has this site's
// tables, follows this primary, and how far behind it is. Nothing wrong with a
// replica keeps from serving: reads then go to others, or to the primary.
func (db *DB) CheckReplicas(ctx context.Context) Report {
	var r Report
	if db.replicas == nil {
		return r
	}
	for _, one := range db.replicas.list {
		db.checkReplica(ctx, &r, one)
	}
	return r
}

func (db *DB) checkReplica(ctx context.Context, r *Report, one *replica) {
	name := "database." + one.name
	ctx, cancel := context.WithTimeout(ctx, db.cfg.QueryTimeout)
	defer cancel()
	primary, err := askNode(ctx, db.primary.pool, db.d)
	if err != nil {
		r.warn(name, "Ask again when the primary answers.", "%s cannot be compared with the primary: %v", one.addr, err)
		return
	}
	n, err := askNode(ctx, one.pool, db.d)
	if err != nil {
		cfg, configErr := mysqlConfig(db.cfg, db.cfg.Replicas[one.index])
		if configErr == nil {
			err = adviseConnection(cfg, err)
		}
		r.warn(name, "It is left out until it answers; mend it or its DSN.", "%v", err)
		return
	}
	k, problem := n.follows(primary, db.d)
	if problem != "" {
		r.warn(name, "It is left out until its position can be compared with the primary's.", "%s: %s", one.addr, problem)
		return
	}
	err = ask(ctx, one.pool, "check.replica", sq.Select("option_id").From(db.table("options")).Limit(1), func(*sql.Rows) error { return nil })
	if err != nil {
		r.warn(name, "Grant this user SELECT as on the primary, and see that the replica has this database.", "%s cannot be read: %v", one.addr, err)
		return
	}
	start := time.Now()
	var reached sql.NullInt64
	err = ask(ctx, one.pool, "check.replica", k.await(primary.gtid, time.Second), func(rows *sql.Rows) error { return rows.Scan(&reached) })
	found := fmt.Sprintf("%s, by %s", one.addr, k)
	switch {
	case err != nil || reached.Int64 != 1:
		r.warn(name, "It is left out while it is behind by more than --replica-max-lag: is replication running (SHOW REPLICA STATUS), and does it follow this primary?",
			"%s: has not caught up with the primary within a second", found)
	case k != galera && !n.readOnly:
		r.warn(name, "Set read_only on replicas, so that no write goes astray.", "%s: caught up within %s, but can be written", found, time.Since(start).Round(time.Millisecond))
	default:
		r.ok(name, "%s: caught up within %s", found, time.Since(start).Round(time.Millisecond))
	}
}
