package sitedb

import (
	"context"
	"database/sql"
	"slices"
	"time"

	sq "github.com/Masterminds/squirrel"
)

// primaryRole is a server that has the role of the primary.
type primaryRole struct {
	*server
	dsn   string
	ended chan struct{} // closed when another server takes the role
}

func newPrimaryRole(s *server, dsn string) *primaryRole {
	return &primaryRole{s, dsn, make(chan struct{})}
}

// leader is the server that is written to, and that has everything.
func (db *DB) leader() *server { return db.role.Load().server }

// silenceBefore is how long a primary has said nothing before a promoted replica is
// taken for its successor.
const silenceBefore = 2 * watchTimeout

// contender is a server that has the role of the primary, or may take it.
type contender struct {
	*server
	dsn   string
	probe *sql.DB
	// node is what it said in the last look, if it answered.
	node
	answered bool
	// obeyed: it was seen read-only since the present primary has the role.
	obeyed bool
}

// note takes note of a look.
func (c *contender) note(n node, err error) {
	if c.answered = err == nil; c.answered {
		c.node = n
		c.obeyed = c.obeyed || n.readOnly
	}
}

// succeed lets another known server have the role of the primary, after a look at
// all of them. Addresses mostly follow the role, and then this finds nothing to do:
// the DSN leads to the new primary. Where it does not, because it names a machine,
// the successor is the only one that can be written, also by us, replicates from
// nobody, and was promoted before our eyes, or is there while the primary itself has become a
// replica. An old primary that comes back from the dead, and can be written, is
// none of these.
func (w *watcher) succeed() {
	configured := w.known[0]
	if w.holder != configured && configured.answered && !configured.readOnly && configured.id == w.holder.id {
		w.handOver(configured) // the address has followed the role
		return
	}
	silent := !w.silent.IsZero() && time.Since(w.silent) >= silenceBefore
	if !silent && !(w.holder.answered && w.holder.readOnly) {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, watchTimeout)
	defer cancel()
	demoted := false
	if !silent {
		demoted, _ = replicates(ctx, w.holder.probe, w.db.d)
	}
	heirs := slices.DeleteFunc(slices.Clone(w.known), func(c *contender) bool {
		// All nodes of a cluster can be written; they share the role.
		return !c.answered || c.readOnly || c.cluster != "" || c.id == w.holder.id || !c.obeyed && !demoted
	})
	if len(heirs) != 1 {
		return
	}
	follows, err := replicates(ctx, heirs[0].probe, w.db.d)
	if err == nil && !follows {
		err = w.db.mayWrite(ctx, heirs[0].probe)
	}
	if err != nil || follows {
		w.db.cfg.Logger.Debug("no successor of the primary", "server", heirs[0].name, "replicates", follows, "err", err)
		return
	}
	w.handOver(heirs[0])
}

// mayWrite tries whether a server lets us write, without changing anything: users
// that are meant for replicas may only read.
func (db *DB) mayWrite(ctx context.Context, on session) error {
	if db.cfg.ReadOnly {
		return nil
	}
	s, err := build("replica.writable", sq.Update(db.table("options")).Set("autoload", "").Where("1 = 0"))
	if err == nil {
		_, err = on.ExecContext(ctx, s.text, s.args...)
	}
	return err
}

// handOver gives the role of the primary to another server.
func (w *watcher) handOver(to *contender) {
	w.holder, w.silent = to, time.Time{}
	for _, c := range w.known {
		c.obeyed = false
	}
	to.moved() // connections from before may lead elsewhere
	from := w.db.role.Swap(newPrimaryRole(to.server, to.dsn))
	close(from.ended)
	from.dropIdle()
	w.db.cfg.Logger.Warn("another server is the primary now", "was", from.name, "is", to.name)
}

// replicates says whether a server applies what others have written.
func replicates(ctx context.Context, on session, d dialect) (bool, error) {
	query := sq.Sqlizer(sq.Expr(`SHOW GLOBAL STATUS LIKE 'slaves\_running'`))
	if d.engine() == "mysql" {
		query = sq.Select("'appliers'", "COUNT(*)").From("performance_schema.replication_applier_status").Where(sq.Eq{"SERVICE_STATE": "ON"})
	}
	var name, running string
	err := ask(ctx, on, "replica.running", query, func(rows *sql.Rows) error { return rows.Scan(&name, &running) })
	return running != "" && running != "0", err
}
