package sqlconn

import (
	"context"
	"database/sql"
	"slices"
	"time"
)

// silenceBefore is how long a primary has said nothing before a promoted replica is
// taken for its successor.
const silenceBefore = 2 * watchTimeout

// contender is a server that has the role of the primary, or may take it.
type contender struct {
	*server
	dsn   string
	probe *sql.DB
	// Node is what it said in the last look, if it answered.
	Node
	answered bool
	// obeyed: it was seen read-only since the present primary has the role.
	obeyed bool
}

// note takes note of a look.
func (c *contender) note(n Node, err error) {
	c.answered = err == nil
	if c.answered {
		c.Node = n
		c.obeyed = c.obeyed || n.ReadOnly
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
	if w.holder != configured && configured.answered && !configured.ReadOnly && configured.ID == w.holder.ID {
		w.handOver(configured) // the address has followed the role
		return
	}
	silent := !w.silent.IsZero() && time.Since(w.silent) >= silenceBefore
	if !silent && !(w.holder.answered && w.holder.ReadOnly) {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, watchTimeout)
	defer cancel()
	demoted := false
	if !silent {
		demoted, _ = Replicates(ctx, w.holder.probe, w.dialect)
	}
	heirs := slices.DeleteFunc(slices.Clone(w.known), func(c *contender) bool {
		// All nodes of a cluster can be written; they share the role.
		return !c.answered || c.ReadOnly || c.cluster != "" || c.ID == w.holder.ID || !c.obeyed && !demoted
	})
	if len(heirs) != 1 {
		return
	}
	follows, err := Replicates(ctx, heirs[0].probe, w.dialect)
	if err == nil && !follows {
		err = w.mayWrite(ctx, heirs[0].probe)
	}
	if err != nil || follows {
		w.cfg.Logger.Debug("no successor of the primary", "server", heirs[0].name, "replicates", follows, "err", err)
		return
	}
	w.handOver(heirs[0])
}

// mayWrite tries whether a server lets us write, without changing anything: users
// that are meant for replicas may only read.
func (w *watcher) mayWrite(ctx context.Context, on Querier) error {
	if w.cfg.ReadOnly {
		return nil
	}
	_, err := on.ExecContext(ctx, "/* calbridge:replica.writable */ UPDATE "+w.options+" SET autoload = '' WHERE 1 = 0")
	return err
}

// handOver gives the role of the primary to another server.
func (w *watcher) handOver(to *contender) {
	w.holder, w.silent = to, time.Time{}
	for _, c := range w.known {
		c.obeyed = false
	}
	to.moved() // connections from before may lead elsewhere
	from := w.role.Swap(newPrimary(to.server, w.cfg, to.dsn))
	close(from.ended)
	from.dropIdle()
	w.cfg.Logger.Warn("another server is the primary now", "was", from.name, "is", to.name)
}
