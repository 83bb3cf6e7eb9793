package check

import (
	"context"
	"fmt"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn/server"
)

// Replicas checks each replica once: whether it answers, has this site's tables, follows
// this primary, and how far behind it is. Problems of a replica are warnings: reads go to
// the others, or to the primary.
func Replicas(ctx context.Context, site Site) Report {
	readable := sq.Select("option_id").From(site.Tables.Quoted("options")).Limit(1)
	var r Report
	for i := range site.Servers.Replicas() {
		r.replica(site.Servers.InspectReplica(ctx, i, readable))
	}
	return r
}

// replica adds a finding for the inspection of a replica.
func (r *Report) replica(f server.ReplicaFinding) {
	name := "database." + f.Name
	found := fmt.Sprintf("%s, compared by %s", f.Addr, f.By)
	waited := f.Waited.Round(time.Millisecond)
	switch {
	case f.PrimaryErr != nil:
		r.warn(name, "Check again when the primary answers.", "%s cannot be compared with the primary: %v", f.Addr, f.PrimaryErr)
	case f.Err != nil:
		r.warn(name, "It is left out until it answers; repair it or correct its DSN.", "%v", f.Err)
	case f.Problem != "":
		r.warn(name, "It is left out until its position can be compared with the primary's.", "%s: %s", f.Addr, f.Problem)
	case f.ReadErr != nil:
		r.warn(name, "Grant this user SELECT as on the primary, and make sure that the replica has this database.", "%s cannot be read: %v", f.Addr, f.ReadErr)
	case !f.CaughtUp:
		r.warn(name, "It is left out while it is behind by more than --replica-max-lag: is replication running (SHOW REPLICA STATUS), and does it follow this primary?",
			"%s: has not caught up with the primary within a second", found)
	case f.Writable:
		r.warn(name, "Set read_only on replicas, so that no program writes to them by mistake.", "%s: caught up within %s, but is writable", found, waited)
	default:
		r.ok(name, "%s: caught up within %s", found, waited)
	}
}
