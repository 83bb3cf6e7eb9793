package changefeed

import (
	"time"
)

// suspicion is the time after a sign of unlogged changes in which more of them are
// expected.
const suspicion = time.Minute

// Detector detects that tables are restored from a dump whose statements are not logged. By
// default mysqldump writes SET SQL_LOG_BIN=0 into the dump of a MySQL server that has
// GTIDs. The sign is a table that was created again without a statement in the log that
// names it. Its rows are inserted afterwards, so for some time every update of a table
// counts as unlogged.
type Detector struct {
	server  string // the server that has these tables
	last    map[string]State
	counts  []map[string]Count // counts at the last looks, the latest one last
	created []string           // tables that existed at the last look
	until   time.Time          // the end of the suspicion
}

// Begin starts a session with a server, in which the counts of the log start at 0. Another
// server created its tables at other times.
func (d *Detector) Begin(server string) {
	if d.server != server {
		*d = Detector{server: server}
	}
	d.counts = []map[string]Count{{}}
}

// Look compares the states of the tables with those at the last look. It reports whether
// rows may have changed that are not in the log. logged was read before found.
func (d *Detector) Look(found map[string]State, logged map[string]Count, now time.Time) bool {
	last, created := d.last, d.created
	d.last, d.created = found, nil
	d.counts = append(d.counts, logged)
	if last == nil {
		return false
	}
	before := d.counts[len(d.counts)-2]
	// The server may report a new table a little before the log does, or after.
	const looks = 4
	for _, name := range created {
		if logged[name].Altered == d.counts[0][name].Altered {
			d.until = now.Add(suspicion)
		}
	}
	if len(d.counts) == looks {
		d.counts = d.counts[1:]
	}
	for name := range logged {
		if found[name].created != last[name].created {
			d.created = append(d.created, name)
		}
	}
	if !now.Before(d.until) {
		return false
	}
	changed := len(created) > 0
	for name, table := range found {
		if table.recent || table.updated != last[name].updated {
			changed = true
			if logged[name].Rows == before[name].Rows {
				d.until = now.Add(suspicion)
			}
		}
	}
	return changed
}
