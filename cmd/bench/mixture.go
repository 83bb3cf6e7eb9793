package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"time"

	"calbridge/wpstore/synthetic"
)

// kind is a kind of operation of a mixture.
type kind int

const (
	repeated kind = iota // a read that was sent before
	fresh                // a read that was not sent before
	ourWrite             // a write through the server
	sqlWrite             // a write past the server, by SQL
	kinds
)

// String returns the name of the kind in the table of results.
func (k kind) String() string {
	return [kinds]string{"repeated reads", "reads never asked before", "writes by the server", "writes by SQL"}[k]
}

// operation is a request or, for sqlWrite, a list of statements.
type operation struct {
	kind       kind
	request    request
	statements []sqlStatement
}

type sqlStatement struct {
	text string
	args []any
}

const (
	// mixPeriod is the number of operations after which the shares are exact: of 100, 90
	// repeated reads, 8 others, one write through the server and one by SQL.
	mixPeriod = 100
	// mixVariants is the number of repeated requests for each kind of random read.
	mixVariants = 20
)

// mixture returns operations on a generated calendar. It is safe for concurrent use.
type mixture struct {
	base   string
	events int
	// seed determines the first read that was never sent before.
	seed  int
	hot   []request
	write scenario // an update of an event
	add   scenario // a new event
}

func newMixture(base string, events, seed int) *mixture {
	m := &mixture{base: base, events: events, seed: seed}
	for _, s := range scenarios(base, events) {
		switch {
		case s.name == "creation of an event":
			m.add = s
		case s.writes:
			m.write = s
		case s.name == "search": // on a large calendar it takes longer than the limit of a statement
		case s.next(0) == s.next(1) && s.next(0) == s.next(2):
			m.hot = append(m.hot, s.next(0))
		default:
			for i := range mixVariants {
				m.hot = append(m.hot, s.next(i))
			}
		}
	}
	return m
}

// at returns the i-th operation.
func (m *mixture) at(i int) operation {
	r := rand.New(rand.NewPCG(3, uint64(i)))
	period, place := i/mixPeriod, i%mixPeriod
	switch {
	case place == mixPeriod/4:
		w := m.write
		if period%2 == 1 {
			w = m.add
		}
		return operation{kind: ourWrite, request: w.next(i)}
	case place == 3*mixPeriod/4:
		return operation{kind: sqlWrite, statements: m.edit(r, i)}
	case place%12 == 0 && place < 96: // 8 places
		return operation{kind: fresh, request: m.unasked(r, period*8+place/12)}
	}
	return operation{kind: repeated, request: m.hot[r.IntN(len(m.hot))]}
}

// unasked returns a list that starts at a second from which no other list starts.
func (m *mixture) unasked(r *rand.Rand, n int) request {
	const window = 700 * 24 * 3600
	from := synthetic.Now.AddDate(-1, 0, 0).Add(time.Duration((m.seed+n)%window) * time.Second)
	path := fmt.Sprintf("%s/events?per_page=%d&start_date=%s&end_date=%s", m.base, []int{10, 20, 50}[n%3],
		from.Format("2006-01-02+15:04:05"), from.AddDate(0, 1, 0).Format("2006-01-02+15:04:05"))
	switch n % 4 {
	case 1:
		path += fmt.Sprintf("&categories=%d", 1+r.IntN(synthetic.Categories))
	case 2:
		path += fmt.Sprintf("&venue=%d", synthetic.Venue(m.events, r.IntN(1+m.events/50)))
	}
	return request{method: "GET", path: path}
}

// edit changes an event's title, price and end. It updates one row after the other without a
// transaction, as WordPress does.
func (m *mixture) edit(r *rand.Rand, n int) []sqlStatement {
	id := synthetic.FirstEvent + r.IntN(m.events)
	modified := synthetic.Now.Add(time.Duration(n) * time.Second).Format(time.DateTime)
	return []sqlStatement{
		{"UPDATE " + tablePrefix + "posts SET post_title = ?, post_modified = ?, post_modified_gmt = ? WHERE ID = ?",
			[]any{fmt.Sprintf("Akce změněná %d", n), modified, modified, id}},
		{"UPDATE " + tablePrefix + "postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = '_EventCost'", []any{fmt.Sprint(n % 1000), id}},
		{"UPDATE " + tablePrefix + "tec_occurrences SET end_date = end_date + INTERVAL 1 SECOND, end_date_utc = end_date_utc + INTERVAL 1 SECOND WHERE post_id = ?", []any{id}},
	}
}

// execAll runs each statement in its own transaction.
func execAll(ctx context.Context, db *sql.DB, statements []sqlStatement) error {
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s.text, s.args...); err != nil {
			return fmt.Errorf("%.40s: %w", s.text, err)
		}
	}
	return nil
}
